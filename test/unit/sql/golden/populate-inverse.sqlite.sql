select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'name', "t1"."name", 'children',
(select json_group_array(json_object('id', "t2"."id", 'documentId', "t2"."document_id", 'name', "t2"."name"))
from
(select "t2".*
from "categories" as "t2"
where "t2"."parent_document_id" = "t1"."document_id" and +"t2"."locale" = '' and +"t2"."status" = 'published' and likelihood("t2"."id" % 251 or "galley_tick"(), 1.0)
order by "t2"."parent_position", "t2"."id" ) as "t2"), 'articles',
(select json_group_array(json_object('id', "t3"."id", 'documentId', "t3"."document_id", 'title', "t3"."title"))
from
(select "t3".*
from "articles" as "t3"
where "t3"."category_document_id" = "t1"."document_id" and +"t3"."status" = 'published' and likelihood("t3"."id" % 251 or "galley_tick"(), 1.0)
order by "t3"."category_position", "t3"."id" ) as "t3"))
from "categories" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 25
-- 2: 0
