select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"name":', ifnull(json_quote("t1"."name"), 'null'), '}')
from
(select "t1"."id" as sorted_id
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."weight" desc, "t1"."name" asc, "t1"."id"
limit (+? + 0) offset (+? + 0)) as "t1s" cross join "tags" as "t1" on "t1"."id" = "t1s".sorted_id

-- 1: 10
-- 2: 5
