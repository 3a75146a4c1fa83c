# SPDX-License-Identifier: MIT
# demo - real programs, unmodified, plain and under hprun: what "make demo" runs
#
# For each: is the output the same, how much of its memory the kernel maps with
# huge pages, why the rest is not, and its time against plain. Fails if a
# program behaves otherwise than plain. DEMO_ROUNDS and DEMO_ONLY narrow it.
. "$top_srcdir/tests/lib.sh"

rounds=${DEMO_ROUNDS:-3}
seconds=${DEMO_SECONDS:-9} # for one program, then no further round
bench=$top_builddir/tests/bench
data=$top_srcdir/tests/bench
python=$(python3 -c 'import sys; print(sys.executable)') ||
	fail "needs python3"
bad=
cd "$tmp" || exit 99

# once ARM LAUNCHER: run "command" on warm memory, its output in ARM.out
once()
{
	"$bench/warm" "$warm" || exit 99
	"$bench/timed" "$1.figures" "launch=$2" -- sh ./command <"$input" \
		>"$1.out" 2>"$1.err" || {
		echo "$name failed under $1:"
		head -n 5 "$1.err"
		return 1
	}
	sed -n 's/^wall //p' "$1.figures" >>"$1.walls"
}

compare()
{
	cmp -s plain.out libhp.out && return
	echo "$name: output under hprun is not that of plain"
	return 1
}

both()
{
	once plain "" && once libhp "hprun --report=json:report --" && compare
}

# rows NAME WARM-MIB INPUT: measure the script "command", print its row
rows()
{
	name=$1 warm=$2 input=$3 round=0 began=$(date +%s)
	rm -f plain.walls libhp.walls report
	while [ $round -lt "$rounds" ]; do
		both || {
			bad="$bad $name"
			return
		}
		round=$((round + 1))
		[ $(($(date +%s) - began)) -lt "$seconds" ] || break
	done
	"$python" -B "$data/row.py" "$name" plain.walls libhp.walls report ||
		bad="$bad $name"
}

# wanted NAME PROGRAM: is it to be shown, and there?
wanted()
{
	case " ${DEMO_ONLY:-$1} " in *" $1 "*) ;; *) return 1 ;; esac
	command -v "$2" >/dev/null && return
	printf '%-9s not installed\n' "$1"
	return 1
}

# show NAME WARM-MIB INPUT PROGRAM ARGUMENT...
show()
{
	wanted "$1" "$4" || return 0
	name=$1 warm=$2 input=$3
	shift 3
	echo "exec \$launch $*" >command
	rows "$name" "$warm" "$input"
}

prepare()
{
	"$python" "$data/lines.py" 1500000 >lines
	head -c 3000000 lines >text
	cat >rows.sql <<-'END'
	CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, c TEXT);
	WITH RECURSIVE s(x) AS
		(SELECT 1 UNION ALL SELECT x + 1 FROM s WHERE x < 700000)
	INSERT INTO t SELECT x, x * 2654435761 % 1000000007, 'row ' || x FROM s;
	CREATE INDEX tb ON t(b);
	SELECT count(*), sum(a.b % 7) FROM t a JOIN t b ON b.b = a.b;
	END
	cat >dict.py <<-'END'
	import random
	chance = random.Random(1)
	table = {key * 7919: [key] for key in range(1000000)}
	keys = [chance.randrange(1000000) * 7919 for _ in range(1500000)]
	print(sum(table[key][0] for key in keys))
	END
	cat >hash.pl <<-'END'
	my ($sum, %table) = (0);
	$table{$_ * 7919} = [$_] for 1 .. 400000;
	$sum += $table{$_ * 104729 % 400000 * 7919 + 7919}[0] for 1 .. 1000000;
	print "$sum\n";
	END
	cat >objects.js <<-'END'
	const table = new Map();
	for (let i = 0; i < 1000000; i++) table.set(i * 7919, { value: i });
	let sum = 0;
	for (let i = 0; i < 3000000; i++)
		sum += table.get((i * 104729) % 1000000 * 7919).value;
	console.log(sum);
	END
	"$python" - >functions.c <<-'END'
	for f in range(600):
	    print(f"int f{f}(int *a, int n) {{ int s = {f};")
	    print("for (int i = 0; i < n; i++) s += a[i] * (s ^ i);")
	    print("while (n-- > 3) a[n] = s >> (n & 7); return s; }")
	END
	cat >Sum.java <<-'END'
	class Sum {
		public static void main(String[] args) {
			var table = new java.util.HashMap<Integer, int[]>();
			for (int i = 0; i < 1000000; i++)
				table.put(i * 7919, new int[] { i });
			long sum = 0;
			for (int i = 0; i < 2000000; i++)
				sum += table.get((int) (i * 104729L % 1000000) * 7919)[0];
			System.out.println(sum);
		}
	}
	END
}

# a server: filled, asked and told to go through a client
show_redis()
{
	wanted redis redis-server || return 0
	cat >command <<-'END'
	$launch redis-server --port 0 --save "" --unixsocket ./socket \
		--enable-debug-command yes --logfile ./redis.log &
	cli="redis-cli -s ./socket"
	until $cli PING 2>/dev/null | grep -q PONG; do
		kill -0 $! || exit 1
		sleep 0.01
	done
	$cli DEBUG POPULATE 1000000
	$cli DBSIZE
	$cli SHUTDOWN NOSAVE
	wait $!
	END
	rows redis 320 /dev/null
}

explain()
{
	echo
	echo "$ hprun --report -- python3 dict.py"
	hprun --report -- "$python" dict.py 2>&1
}

prepare
printf '%-9s%9s%9s%7s%10s%7s  %-9s%s\n' "" "plain s" "hprun s" ratio \
	"peak MiB" huge verdict "slots that are not, and why"
show python3 320 /dev/null "$python" dict.py
show sqlite3 160 rows.sql sqlite3 :memory:
show sort 320 /dev/null sort -S 512M --parallel=2 lines
show perl 400 /dev/null perl hash.pl
show xz 700 /dev/null xz -9 -T1 -c text
show cc1 256 /dev/null "$(gcc -print-prog-name=cc1 2>/dev/null)" -quiet -O1 \
	functions.c -o -
show node 512 /dev/null node objects.js
show java 512 /dev/null java -Xmx512m -XX:+UseSerialGC Sum.java
show_redis
explain
[ -z "$bad" ] || fail "not as plain:$bad"
