select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title", 'localizations',
(select json_group_array(json_object('id', "t2"."id", 'documentId', "t2"."document_id", 'title', "t2"."title", 'locale', "t2"."locale"))
from
(select "t2".*
from "articles" as "t2"
where "t2"."document_id" = "t1"."document_id" and +"t2"."status" = 'published' and "t2"."locale" <> "t1"."locale"
order by "t2"."locale", "t2"."id") as "t2"))
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
