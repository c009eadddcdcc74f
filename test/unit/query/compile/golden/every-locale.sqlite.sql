select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"title":', ifnull(json_quote("t1"."title"), 'null'), '}')
from "articles" as "t1"
where "t1"."status" = 'draft' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 25
-- 2: 0
