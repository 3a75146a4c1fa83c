/* SPDX-License-Identifier: MIT */
#include "libhp/sites_form.h"

#include <string.h>

#include "libhp/sites_name.h"
#include "libhp/sites_sum.h"
#include "libhp/text.h"

#define TEXT_SITES 10
#define TEXT_WIDTH 76  /* of a line of functions */
#define TEXT_LINES 3   /* of these, a stack */
#define JSON_SITES 200 /* what holds less is summed up in one */

#define FRAME_TEXT 1400

static void append_hex(char *buf, size_t size, uint64_t n)
{
	char digits[19], *p = digits + sizeof(digits) - 1;

	*p = '\0';
	do {
		*--p = "0123456789abcdef"[n & 15];
		n >>= 4;
	} while (n);
	*--p = 'x';
	*--p = '0';
	hp_text_append(buf, size, p);
}

/* "build+0x1b", or "python3.11+0x1234" where the function has no name */
static void print_frame(uintptr_t pc, char *buf, size_t size)
{
	struct hp_site_name name;

	hp_sites_name(pc, &name);
	buf[0] = '\0';
	if (name.function)
		hp_text_append(buf, size, name.function);
	buf[strcspn(buf, "@")] = '\0'; /* of "malloc@@GLIBC_2.2.5" */
	if (!name.function && name.object)
		hp_text_append(buf, size, hp_text_base(name.object));
	if (buf[0])
		hp_text_append(buf, size, "+");
	append_hex(buf, size, name.function ? name.offset : name.address);
}

/* "/usr/bin/python3.11@BUILD-ID+0x1234": enough to name it elsewhere */
static void print_address(uintptr_t pc, char *buf, size_t size)
{
	struct hp_site_name name;

	hp_sites_name(pc, &name);
	buf[0] = '\0';
	if (name.object) {
		hp_text_append(buf, size, name.object);
		hp_text_append(buf, size, name.build_id[0] ? "@" : "");
		hp_text_append(buf, size, name.build_id);
		hp_text_append(buf, size, "+");
	}
	append_hex(buf, size, name.address);
}

/* ---- text --------------------------------------------------------------- */

static void put_mib(struct hp_out *out, uint64_t bytes)
{
	hp_out_fraction(out, bytes, HP_MIB, 1, 8);
	hp_out_text(out, " MiB");
}

static void put_huge(struct hp_out *out, const struct hp_site *site)
{
	if (hp_sites_collected()->blind || site->present == 0) {
		hp_out_text(out, "       -");
		return;
	}
	hp_out_fraction(out, site->huge * 100, site->present, 1, 6);
	hp_out_text(out, " %");
}

static void put_slots(struct hp_out *out, const struct hp_site *site)
{
	if (hp_sites_collected()->blind) {
		hp_out_text(out, "       -           -");
		return;
	}
	hp_out_u64(out, site->slots, 8);
	put_mib(out, site->bloat);
}

static int main_reason(const struct hp_site *site)
{
	int best = HP_REASON_NONE;

	for (int i = HP_REASON_NONE + 1; i < HP_REASON_COUNT; i++)
		if (site->reasons[i] > (best ? site->reasons[best] : 0))
			best = i;
	return best;
}

static void put_frames(struct hp_out *out, uint32_t id)
{
	char frame[FRAME_TEXT];
	size_t used = TEXT_WIDTH;
	unsigned int n, lines = 0;
	const uintptr_t *pcs = hp_sites_frames(id, &n);

	for (unsigned int i = 0; i < n; i++) {
		print_frame(pcs[i], frame, sizeof(frame));
		hp_out_text(out, i > 0 ? " <" : "");
		if (used + strlen(frame) + 3 > TEXT_WIDTH) {
			if (lines++ == TEXT_LINES) {
				hp_out_text(out, " ...");
				break;
			}
			hp_out_text(out, "\n          ");
			used = 0;
		}
		hp_out_text(out, " ");
		hp_out_text(out, frame);
		used += strlen(frame) + 3;
	}
	hp_out_text(out, "\n");
}

static void put_site(struct hp_out *out, uint32_t id)
{
	const struct hp_site *site = &hp_sites_collected()->sites[id];
	int reason = main_reason(site);

	hp_out_text(out, "  ");
	put_mib(out, hp_sites_bytes(site));
	put_huge(out, site);
	hp_out_u64(out, site->blocks, 12);
	put_slots(out, site);
	hp_out_text(out, "  ");
	hp_out_text(out, reason ? hp_reason_text((enum hp_reason)reason) : "");
	put_frames(out, id);
}

static void put_lost(struct hp_out *out)
{
	if (hp_sites_lost() == 0)
		return;
	hp_out_text(out, "  events that did not fit the tables of call "
			 "stacks: ");
	hp_out_u64(out, hp_sites_lost(), 0);
	hp_out_text(out, "\n");
}

void hp_sites_put_text(struct hp_out *out)
{
	uint32_t id = 0;

	hp_out_text(out, "  call stacks: memory ");
	hp_out_text(out, hp_sites_collected()->blind ? "asked for" : "in use");
	hp_out_text(out, ", huge, blocks (small ones estimated), slots made, "
			 "bloat in these\n");
	for (int i = 0; i < TEXT_SITES; i++) {
		id = hp_sites_next(id);
		if (!id)
			break;
		put_site(out, id);
	}
	put_lost(out);
}

/* ---- JSON --------------------------------------------------------------- */

static void put_reasons(struct hp_json *json, const struct hp_site *site)
{
	if (hp_sites_collected()->blind) {
		hp_json_null(json, "reasons");
		return;
	}
	hp_json_open(json, "reasons", '{');
	for (int i = HP_REASON_NONE + 1; i < HP_REASON_COUNT; i++)
		if (site->reasons[i])
			hp_json_u64(json, hp_reason_text((enum hp_reason)i),
				    site->reasons[i]);
	hp_json_close(json, '}');
}

static void put_list(struct hp_json *json, const char *key, uint32_t id,
		     void (*print)(uintptr_t pc, char *buf, size_t size))
{
	char frame[FRAME_TEXT];
	unsigned int n;
	const uintptr_t *pcs = hp_sites_frames(id, &n);

	hp_json_open(json, key, '[');
	for (unsigned int i = 0; i < n; i++) {
		print(pcs[i], frame, sizeof(frame));
		hp_json_text(json, NULL, frame);
	}
	hp_json_close(json, ']');
}

static uint64_t unless_blind(uint64_t n)
{
	return hp_sites_collected()->blind ? HP_BYTES_UNKNOWN : n;
}

static void put_object(struct hp_json *json, const struct hp_site *site,
		       uint32_t id)
{
	hp_json_open(json, NULL, '{');
	hp_json_u64(json, "bytes", unless_blind(site->present));
	hp_json_u64(json, "huge_bytes", unless_blind(site->huge));
	hp_json_u64(json, "asked_bytes", site->asked);
	hp_json_u64(json, "blocks", site->blocks);
	hp_json_u64(json, "slots", unless_blind(site->slots));
	hp_json_u64(json, "bloat_bytes", unless_blind(site->bloat));
	put_reasons(json, site);
	put_list(json, "stack", id, print_frame);
	put_list(json, "addresses", id, print_address);
	hp_json_close(json, '}');
}

static void sum_up(struct hp_site *sum, const struct hp_site *site)
{
	sum->asked += site->asked;
	sum->present += site->present;
	sum->huge += site->huge;
	sum->blocks += site->blocks;
	sum->slots += site->slots;
	sum->bloat += site->bloat;
	for (int i = 0; i < HP_REASON_COUNT; i++)
		sum->reasons[i] += site->reasons[i];
}

/* the last object, without a stack, is of all that has none or is left out */
void hp_sites_put_json(struct hp_json *json)
{
	const struct hp_site_sums *sums = hp_sites_collected();
	struct hp_site rest = {0};
	uint32_t id = 0;

	hp_json_open(json, "sites", '[');
	for (int i = 0; i < JSON_SITES; i++) {
		id = hp_sites_next(id);
		if (!id)
			break;
		put_object(json, &sums->sites[id], id);
	}
	if (sums->n > 0)
		sum_up(&rest, &sums->sites[0]);
	while (id && (id = hp_sites_next(id)))
		sum_up(&rest, &sums->sites[id]);
	if (rest.asked > 0 || rest.slots > 0)
		put_object(json, &rest, 0);
	hp_json_close(json, ']');
}
