-- SPDX-License-Identifier: MIT
-- tables, indices, triggers, windows; prints figures that depend on every row
pragma journal_mode = memory;
create table t(id integer primary key, a int, b text, c blob);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000)
insert into t select i, i * 7919 % 200003, printf('%08d-%s', i, hex(i)),
	zeroblob(i % 300) from n;
create index t_a on t(a);
create index t_b on t(b);
create table log(id int, was int);
create trigger keep after update of a on t begin
	insert into log values (old.id, old.a); end;
update t set a = a + 1 where id % 3 = 0;
delete from t where id % 5 = 0;
select count(*), sum(a), max(b), sum(length(c)) from t;
select count(*), sum(was) from log;
select sum(r) from (select row_number() over (partition by a % 97 order by b)
	as r from t);
select count(*) from t x join t y on x.a = y.id where y.b glob '*7*';
vacuum;
pragma integrity_check;
