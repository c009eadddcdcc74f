select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'name', "t1"."name", 'children',
(select coalesce(json_agg(json_build_object('id', "t2"."id", 'documentId', "t2"."document_id", 'name', "t2"."name")), '[]'::json)
from
(select "t2".*
from "categories" as "t2"
where "t2"."parent_document_id" = "t1"."document_id" and "t2"."locale" = '' and "t2"."status" = 'published'
order by "t2"."parent_position", "t2"."id" ) as "t2"), 'articles',
(select coalesce(json_agg(json_build_object('id', "t3"."id", 'documentId', "t3"."document_id", 'title', "t3"."title")), '[]'::json)
from
(select "t3".*
from "articles" as "t3"
where "t3"."category_document_id" = "t1"."document_id" and "t3"."status" = 'published'
order by "t3"."category_position", "t3"."id" ) as "t3"))::text
from
(select "t1".*
from "categories" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = ''
order by "t1"."id"
limit $1::bigint offset $2::bigint) as "t1"

-- 1: 25
-- 2: 0
