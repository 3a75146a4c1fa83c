/* SPDX-License-Identifier: MIT */
/*
 * case_new.cc - C++'s wider family: aligned, sized, nothrow new and delete,
 * bad_alloc, the new handler, blocks freed by another thread
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
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
	void *volatile p =
		nothrow ? new (std::nothrow) char[n] : new char[n];

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

int main()
{
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
	std::puts("ok");
	return 0;
}
