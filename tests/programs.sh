# SPDX-License-Identifier: MIT
# Real programs doing a little real work: under hprun they print the same and
# end with the same status as without.
. "$top_srcdir/tests/case.sh"

failures=0 tried=0 missing=

# prepare: the inputs, the same on every machine
prepare()
{
	mkdir "$tmp/in" && cd "$tmp/in" || exit 99
	awk 'BEGIN { x = 1; for (i = 0; i < 150000; i++) {
		x = (x * 16807) % 2147483647; print x, "line", i } }' >lines
	cat >prog.c <<-'C'
		#include <stdio.h>
		static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
		int main(void) { printf("%d\n", f(20)); return 0; }
	C
	cat >prog.cc <<-'C'
		#include <algorithm>
		#include <map>
		#include <string>
		std::map<std::string, int> m;
		int main() { m["a"] = 1; return std::max<int>(m.size(), 0); }
	C
	cat >Prog.java <<-'J'
		import java.util.*;
		class Prog { public static void main(String[] a) {
			Map<Integer, String> m = new TreeMap<>();
			for (int i = 0; i < 200000; i++) m.put(i * 7919 % 200003, "v" + i);
			long h = 0;
			for (var e : m.entrySet()) h = h * 31 + e.getValue().hashCode();
			System.out.println(m.size() + " " + h); } }
	J
	cat >Makefile <<-'M'
		all: ; @for i in 1 2 3 4 5; do echo $$i; done
		$(foreach i,1 2 3 4 5 6 7 8 9,$(eval all: t$i)$(eval t$i: ; @echo t$i))
	M
	cat >query.sql <<-'S'
		create table t(a integer, b text);
		with recursive n(i) as (select 1 union all select i+1 from n where i < 100000)
			insert into t select i * 7919 % 100003, 'row ' || i from n;
		create index k on t(a);
		select count(*), sum(x.a), max(y.b) from t x join t y on x.a = y.a + 1;
	S
}

# judge NAME STATUS-PLAIN STATUS: files plain.out and hp.out
judge()
{
	tried=$((tried + 1))
	if [ "$2" != "$3" ]; then
		echo "$1: status $3, plain $2: $(tail -n 2 "$tmp/hp.err")"
	elif ! cmp -s "$tmp/plain.out" "$tmp/hp.out"; then
		echo "$1: stdout is not as without libhp"
		diff "$tmp/plain.out" "$tmp/hp.out" | head -n 4
	else
		return
	fi
	failures=$((failures + 1))
}

# try PROGRAM COMMAND: a shell command in a fresh copy of the inputs
try()
{
	if ! have "$1"; then
		missing="$missing $1"
		return
	fi
	rm -rf "$tmp/run"
	cp -r "$tmp/in" "$tmp/run" && cd "$tmp/run" || exit 99
	plain=0
	timeout 120 sh -c "$2" >"$tmp/plain.out" 2>"$tmp/plain.err" </dev/null ||
		plain=$?
	[ -s "$tmp/plain.out" ] || fail "$1: the test itself prints nothing:" \
		"$(cat "$tmp/plain.err")"
	rm -rf "$tmp/run"
	cp -r "$tmp/in" "$tmp/run" && cd "$tmp/run" || exit 99
	status=0
	timeout 120 hprun --start 0 -- sh -c "$2" >"$tmp/hp.out" \
		2>"$tmp/hp.err" </dev/null || status=$?
	judge "$1" $plain $status
}

# as_user COMMAND: what refuses to run as root
as_user()
{
	if is_root; then
		setpriv --reuid=65534 --regid=65534 --clear-groups sh -c "$1"
	else
		sh -c "$1"
	fi
}

# a server of its own, told by a client; both under libhp or both not
postgres_session()
{
	as_user "cd '$tmp/pg' && $1 '$bin/postgres' -D db -k '$tmp/pg' \
		-c listen_addresses= >log 2>&1 & echo \$! >'$tmp/pg/pid'
		for i in \$(seq 100); do
			'$bin/psql' -h '$tmp/pg' -d postgres -c 'select 1' \
				>/dev/null 2>&1 && break
			sleep 0.1
		done
		$1 '$bin/psql' -h '$tmp/pg' -d postgres -At -c \
		'select count(*), sum(a.i), md5(string_agg(a.i::text, chr(44)
		order by a.i)) from generate_series(1, 100000) a(i)
		join generate_series(1, 100000, 3) b(i) using (i)'
		status=\$?
		kill -INT \$(cat '$tmp/pg/pid')
		while kill -0 \$(cat '$tmp/pg/pid') 2>/dev/null; do
			sleep 0.05
		done
		exit \$status"
}

try_postgres()
{
	bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
	if [ ! -x "$bin/initdb" ] || ! have setpriv; then
		missing="$missing psql"
		return
	fi
	mkdir "$tmp/pg"
	chmod 755 "$tmp"
	is_root && chown 65534:65534 "$tmp/pg"
	as_user "HOME='$tmp/pg' '$bin/initdb' -N -A trust -D '$tmp/pg/db'" \
		>"$tmp/initdb.log" 2>&1 || fail "initdb: $(tail "$tmp/initdb.log")"
	plain=0 status=0
	postgres_session env >"$tmp/plain.out" 2>"$tmp/plain.err" || plain=$?
	[ -s "$tmp/plain.out" ] || fail "psql prints nothing: $(cat "$tmp/plain.err")"
	postgres_session "'$(command -v hprun)' --start 0 --" >"$tmp/hp.out" \
		2>"$tmp/hp.err" || status=$?
	judge psql $plain $status
}

prepare
try awk 'awk "{ n[\$1 % 1000] += \$3 } END { for (k in n) print k, n[k] }" lines | sort | cksum'
try bash 'bash -c "declare -A m; for i in {1..30000}; do m[\$i]=\${i}x; done; echo \${#m[@]} \${m[777]}"'
try bc 'echo "scale=800; 4*a(1)" | bc -l'
try bzip2 'bzip2 -c lines | cksum; bzip2 -c lines | bzip2 -dc | cmp - lines; echo $?'
try clang 'clang -O2 -S -o - prog.c'
try cmake 'cmake -E sha256sum lines prog.c'
try diff 'sed 5000,6000d lines >x; diff lines x'
try find 'find . /usr/include -name "*.h" -size +4k | sort | cksum'
try g++ 'g++ -O1 -S -o - prog.cc | cksum'
try gcc 'gcc -O2 -o prog prog.c && ./prog && gcc -O2 -S -o - prog.c'
try gdb 'gdb -batch -nx -ex "p 6*7" -ex "info functions ^main$" -ex "python print(sum(range(100000)))" $(command -v true) 2>/dev/null'
try git 'export GIT_AUTHOR_DATE="1700000000 +0000" GIT_COMMITTER_DATE="1700000000 +0000" GIT_CONFIG_GLOBAL=/dev/null
	git init -q -b x . && git add . && git -c user.name=a -c user.email=a@b commit -qm one &&
	git repack -adq && git fsck 2>&1 && git log -p --stat | cksum && git rev-parse HEAD'
try grep 'grep -cE "(1|2)3.*line [0-9]*7$" lines; grep -P "^(\d)\d*\1 " lines | cksum'
try gzip 'gzip -nc lines | cksum; gzip -nc lines | gzip -dc | cksum'
try java 'java -Xmx256m Prog.java'
try jq 'awk "{ print \"{\\\"a\\\":\" \$1 \",\\\"b\\\":\" \$3 \"}\" }" lines | head -n 20000 | jq -s "map(.a % 97) | add, length"'
try m4 'echo "define(f,\`ifelse(\$1,0,1,\`eval(\$1*f(decr(\$1)))'"'"')'"'"')f(12)" | m4'
try make 'make -s -j2 --output-sync | sort'
try node 'node -e "const m = new Map(); for (let i = 0; i < 300000; i++) m.set(i * 7919 % 300007, \"v\" + i); let h = 0; for (const v of m.values()) h = (h * 31 + v.length * 7) % 1000003; console.log(m.size, h, JSON.stringify([...m]).length)"'
try openssl 'openssl dgst -sha512 lines; openssl enc -aes-256-cbc -pbkdf2 -S 0102030405060708 -k secret -in lines | cksum; openssl prime 1000000007'
try perl 'PERL_HASH_SEED=0 perl -e "my %h; while (<>) { my @f = split; push @{\$h{\$f[0] % 5003}}, \$f[2] } my \$s = 0; \$s += \$_ * @{\$h{\$_}} for keys %h; print scalar(keys %h), \" \$s\n\"; exit 7" lines'
try_postgres
try python3 'python3 -c "
import collections, hashlib, json, re, sys, threading, zlib
d = collections.defaultdict(list)
for line in open(\"lines\"):
    a, _, b = line.split()
    d[int(a) % 9973].append(b)
out = []
t = [threading.Thread(target=lambda: out.append(hashlib.sha1(json.dumps(d).encode()).hexdigest())) for _ in range(4)]
[x.start() for x in t]; [x.join() for x in t]
print(len(d), set(out), len(zlib.compress(open(\"lines\", \"rb\").read())), len(re.findall(r\"7\d7\", open(\"lines\").read())))
sys.exit(9)"'
try rustc 'rustc --version; echo "fn main() { println!(\"{}\", (1..10u64).product::<u64>()) }" >r.rs; rustc -O r.rs 2>/dev/null && ./r'
try sed 'sed -n "s/\([0-9]\)\([0-9]*\) line/\2\1/;/77/p" lines | cksum'
try sort 'sort -k1,1n -k3,3 lines | cksum; sort --parallel=2 -S 8M -r lines | cksum'
try sqlite3 'sqlite3 :memory: <query.sql'
try tar 'tar --sort=name --owner=0 --group=0 --mtime=@0 -cf - . | cksum; tar --sort=name --mtime=@0 --owner=0 --group=0 -czf x.tgz lines && tar -tzf x.tgz'
try tclsh 'echo "for {set i 0} {\$i < 50000} {incr i} {lappend l [expr {\$i * 7919 % 50021}]}; puts [lindex [lsort -integer \$l] 777]" | tclsh'
try xz 'xz -T2 -0 -c lines | cksum; head -n 20000 lines | xz -6 -c | xz -dc | cksum'
try zstd 'zstd -q -T2 -12 -c lines | zstd -dqc | cksum'

[ -z "$missing" ] || note "not installed:$missing"
echo "$tried programs tried, $failures differ"
[ "$failures" = 0 ] || fail "$failures of $tried programs differ"
[ "$tried" -gt 0 ] || skip "none of the programs is installed"
