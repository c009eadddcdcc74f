select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'nickname', "t1"."nickname", 'author',
(select json_object('id', "t2"."id", 'documentId', "t2"."document_id", 'name', "t2"."name")
from
(select "t2".*
from "authors" as "t2"
where "t2"."profile_document_id" = "t1"."document_id" and +"t2"."locale" = '' and +"t2"."status" = 'published' and likelihood("t2"."id" % 251 or "galley_tick"(), 1.0)
order by "t2"."id"
limit 1) as "t2"))
from "profiles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 25
-- 2: 0
