select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title", 'cover',
(select json_object('id', "t2"."id", 'documentId', "t2"."document_id", 'url', "t2"."url")
from "files" as "t2"
where "t2"."document_id" = "t1"."cover_document_id" and "t2"."locale" = '' and "t2"."status" = 'published' and likelihood("t2"."id" % 251 or "galley_tick"(), 1.0)), 'author',
(select json_object('id', "t3"."id", 'documentId', "t3"."document_id", 'name', "t3"."name")
from "authors" as "t3"
where "t3"."document_id" = "t1"."author_document_id" and "t3"."locale" = '' and "t3"."status" = 'published' and likelihood("t3"."id" % 251 or "galley_tick"(), 1.0)))
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
