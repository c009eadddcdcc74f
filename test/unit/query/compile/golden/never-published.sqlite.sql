select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"title":', ifnull(json_quote("t1"."title"), 'null'), '}')
from "articles" as "t1"
where "t1"."status" = 'draft' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0) and not exists
(select 1
from "articles" as "t2"
where "t2"."document_id" = "t1"."document_id" and "t2"."status" = 'published')
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
