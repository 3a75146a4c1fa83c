/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <string.h>

#include "libhp/linux.h"
#include "libhp/sites_form.h"
#include "libhp/sites_name.h"
#include "libhp/sites_sum.h"
#include "libhp/text.h"

/* a semicolon or a line's end in a name would begin another frame */
static void put_name(struct hp_out *out, const char *name, size_t len)
{
	for (; len > 0; len--, name++) {
		char c = (unsigned char)*name < ' ' || *name == ';' ? '_'
								    : *name;

		hp_out_bytes(out, &c, 1);
	}
}

static void put_function(struct hp_out *out, uintptr_t pc)
{
	struct hp_site_name name;
	const char *object;

	hp_sites_name(pc, &name);
	if (name.function) {
		/* without the version of "malloc@@GLIBC_2.2.5" */
		put_name(out, name.function, strcspn(name.function, "@"));
		return;
	}
	object = name.object ? hp_text_base(name.object) : "unknown";
	hp_out_text(out, "[");
	put_name(out, object, strlen(object));
	hp_out_text(out, "]");
}

void hp_sites_put_folded(struct hp_out *out)
{
	const struct hp_site_sums *sums = hp_sites_collected();

	for (uint32_t id = 1; id < sums->n; id++) {
		unsigned int n;
		const uintptr_t *pcs = hp_sites_frames(id, &n);

		if (hp_sites_bytes(&sums->sites[id]) == 0)
			continue;
		while (n > 0) {
			put_function(out, pcs[--n]);
			hp_out_text(out, n > 0 ? ";" : " ");
		}
		hp_out_u64(out, hp_sites_bytes(&sums->sites[id]), 0);
		hp_out_text(out, "\n");
	}
}

static void put_hex(struct hp_out *out, uintptr_t n)
{
	char text[2 + 16] = "0x";

	for (int i = 0; i < 16; i++)
		text[2 + i] = "0123456789abcdef"[n >> (60 - 4 * i) & 15];
	hp_out_bytes(out, text, sizeof(text));
}

/* "1: 64 [1: 64] @": in use and, for want of it, the same for allocated */
static void put_counts(struct hp_out *out, uint64_t blocks, uint64_t bytes)
{
	hp_out_u64(out, blocks, 6);
	hp_out_text(out, ": ");
	hp_out_u64(out, bytes, 8);
	hp_out_text(out, " [");
	hp_out_u64(out, blocks, 6);
	hp_out_text(out, ": ");
	hp_out_u64(out, bytes, 8);
	hp_out_text(out, "] @");
}

static void put_mappings(struct hp_out *out)
{
	int fd = hp_linux_open("/proc/self/maps", O_RDONLY, 0);
	char buf[4096];
	ssize_t n;

	hp_out_text(out, "\nMAPPED_LIBRARIES:\n");
	if (fd < 0)
		return;
	while ((n = hp_linux_read(fd, buf, sizeof(buf))) > 0)
		hp_out_bytes(out, buf, (size_t)n);
	hp_linux_close(fd);
}

/* "heapprofile": the counts are no samples any more, scale nothing */
void hp_sites_put_heap(struct hp_out *out)
{
	const struct hp_site_sums *sums = hp_sites_collected();
	uint64_t blocks = 0, bytes = 0;

	for (uint32_t id = 1; id < sums->n; id++) {
		blocks += sums->sites[id].blocks;
		bytes += hp_sites_bytes(&sums->sites[id]);
	}
	hp_out_text(out, "heap profile: ");
	put_counts(out, blocks, bytes);
	hp_out_text(out, " heapprofile\n");
	for (uint32_t id = 1; id < sums->n; id++) {
		const struct hp_site *site = &sums->sites[id];
		unsigned int n;
		const uintptr_t *pcs = hp_sites_frames(id, &n);

		if (hp_sites_bytes(site) == 0)
			continue;
		put_counts(out, site->blocks, hp_sites_bytes(site));
		for (unsigned int i = 0; i < n; i++) {
			hp_out_text(out, " ");
			put_hex(out, pcs[i]);
		}
		hp_out_text(out, "\n");
	}
	put_mappings(out);
}

static bool ends(const char *path, const char *with)
{
	size_t len = strlen(path), tail = strlen(with);

	return len > tail && !strcmp(path + len - tail, with);
}

int hp_sites_export(const char *path)
{
	int fd = hp_linux_create(path), ret;
	struct hp_out out;

	if (fd < 0)
		return fd;
	hp_out_open(&out, fd);
	if (ends(path, ".folded"))
		hp_sites_put_folded(&out);
	else
		hp_sites_put_heap(&out);
	ret = hp_out_close(&out);
	hp_linux_close(fd);
	return ret;
}
