/* SPDX-License-Identifier: MIT */
/*
 * alone.h - may memory be copied and replaced without anybody missing a write?
 *
 * Not while another thread runs, nor while the kernel holds pages it will write
 * to later: asynchronous reads (io_submit, io_uring), buffers registered for
 * io_uring, RDMA or a device.
 */
#ifndef HP_ALONE_H
#define HP_ALONE_H

#include "libhp/common.h"

/* hp_alone - reads /proc/self; false where that says nothing */
bool hp_alone(void);

#endif
