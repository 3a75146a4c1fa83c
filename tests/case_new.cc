/* SPDX-License-Identifier: MIT */
/*
 * case_new.cc - C++'s wider family: aligned, sized, nothrow new and delete,
 * bad_alloc, the new handler, blocks freed by another thread or made before main
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <vector>

struct alignas(4096) page {
	char bytes[4096];
};

struct alignas(2 << 20) slot {
	char bytes[2 << 20];
};

struct small {
	char bytes[24];
};

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	std::fprintf(stderr, "not so: %s\n", what);
	std::_Exit(1);
}

template <typename T> static T *one(unsigned int i)
{
	T *p = i % 2 ? new T : new (std::nothrow) T;

	must(p && reinterpret_cast<std::uintptr_t>(p) % alignof(T) == 0,
	     "aligned");
	p->bytes[0] = 1;
	return p;
}

/* sized and unsized delete in turn, on a thread that did not allocate */
template <typename T> static void drop(std::vector<T *> all)
{
	for (unsigned int i = 0; i < all.size(); i++) {
		if (alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
			delete all[i];
		else if (i % 3)
			::operator delete(all[i], sizeof(T));
		else
			::operator delete(all[i]);
	}
}

template <typename T> static void across_threads(unsigned int count)
{
	std::vector<T *> mine;

	for (unsigned int i = 0; i < count; i++)
		mine.push_back(one<T>(i));
	std::thread(drop<T>, mine).join();
	for (unsigned int i = 1; i < 50; i++) {
		T *many = new T[i % 3 + 1];

		many[0].bytes[0] = 1;
		delete[] many;
	}
}

static char *volatile reserve;
static int handled;

static void give_up_reserve()
{
	handled++;
	delete[] reserve;
	reserve = nullptr;
	std::set_new_handler(nullptr);
}

/* the optimiser may drop a new whose result is not used */
static void *hopeless(bool nothrow)
{
	volatile std::size_t n = PTRDIFF_MAX;
	void *volatile p = nothrow ? new (std::nothrow) char[n] : new char[n];

	return p;
}

static void failures()
{
	bool caught = false;

	try {
		hopeless(false);
	} catch (const std::bad_alloc &) {
		caught = true;
	}
	must(caught, "bad_alloc is thrown");
	must(!hopeless(true), "nothrow gives nullptr");
	reserve = new char[1 << 20];
	std::set_new_handler(give_up_reserve);
	must(!hopeless(true) && handled == 1, "handler is called once");
}

struct refused {
};

static void refuse()
{
	throw refused();
}

static void give_up()
{
	throw std::bad_alloc();
}

/* what a handler throws comes out of new, and not out of nothrow new */
static void throwing_handlers()
{
	bool caught = false;

	std::set_new_handler(refuse);
	try {
		hopeless(false);
	} catch (const refused &) {
		caught = true;
	}
	must(caught, "the handler's own exception comes out");
	std::set_new_handler(give_up);
	must(!hopeless(true), "nothrow gives nullptr where a handler throws");
	std::set_new_handler(nullptr);
}

/* jemalloc's and libhp's, where there is one: all news are in its heap */
extern "C" int mallctl(const char *, void *, std::size_t *, void *, std::size_t)
	__attribute__((weak));

static std::uint64_t in_heap()
{
	std::uint64_t bytes = 0;
	std::size_t len = sizeof(bytes);

	must(!mallctl("thread.allocated", &bytes, &len, nullptr, 0), "mallctl");
	return bytes;
}

static void one_heap()
{
	std::uint64_t before = in_heap();
	char *volatile p = new char[1 << 20];
	void *volatile q;

	must(in_heap() - before >= 1 << 20, "new is in the heap");
	delete[] p;
	q = std::malloc(1 << 20);
	std::free(q);
	must(in_heap() - before >= 2 << 20, "malloc is in the same");
}

/* a library's, from its constructor; see c40_new_delete.sh */
extern std::string *early __attribute__((weak));

/* not with another allocator, of which some end here: an argument says so */
int main(int argc, char **)
{
	if (&early)
		delete early;
	if (mallctl)
		one_heap();
	std::vector<std::thread> workers;

	for (int i = 0; i < 4; i++)
		workers.emplace_back([] {
			across_threads<small>(1000);
			across_threads<page>(1000);
		});
	across_threads<slot>(50);
	for (auto &w : workers)
		w.join();
	failures();
	if (argc == 1)
		throwing_handlers();
	std::puts("ok");
	return 0;
}
