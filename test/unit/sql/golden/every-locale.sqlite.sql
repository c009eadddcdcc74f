select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title")
from "articles" as "t1"
where "t1"."status" = 'draft' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 25
-- 2: 0
