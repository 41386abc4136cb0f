-- What the benchmark lets sqlite3 do while it is sampled: joins, sorting, a recursive query, text search.
PRAGMA journal_mode = off;
CREATE TABLE item (id INTEGER PRIMARY KEY, owner INTEGER, name TEXT, price REAL);
CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO owner SELECT i, 'owner-' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    INSERT INTO item SELECT i, (i * 7919) % 500 + 1, 'item-' || hex(i * 2654435761), (i * 31) % 977 FROM n;
CREATE INDEX item_owner ON item (owner);
SELECT owner.name, count(*), avg(price), max(item.name) FROM item JOIN owner ON owner.id = item.owner
    GROUP BY owner.name ORDER BY avg(price) DESC LIMIT 3;
SELECT count(*) FROM item WHERE name LIKE '%3A%F%' AND price IN (SELECT DISTINCT price FROM item WHERE owner < 250);
WITH RECURSIVE path(i, depth) AS (SELECT 1, 0 UNION ALL SELECT (i * 5 + 3) % 99991 + 1, depth + 1 FROM path WHERE depth < 50000)
    SELECT sum(price * depth) FROM path JOIN item ON item.id = path.i;
SELECT group_concat(name) IS NOT NULL FROM (SELECT name FROM item ORDER BY substr(name, 8), price LIMIT 50000);
