select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'name', "t1"."name", 'articles',
(select coalesce(json_agg(json_build_object('id', "t3"."id", 'documentId', "t3"."document_id", 'title', "t3"."title", 'author',
(select json_build_object('id', "t4"."id", 'documentId', "t4"."document_id", 'name', "t4"."name", 'profile',
(select json_build_object('id', "t5"."id", 'documentId', "t5"."document_id", 'nickname', "t5"."nickname")
from "profiles" as "t5"
where "t5"."document_id" = "t4"."profile_document_id" and "t5"."locale" = '' and "t5"."status" = 'published'))
from "authors" as "t4"
where "t4"."document_id" = "t3"."author_document_id" and "t4"."locale" = '' and "t4"."status" = 'published'))), '[]'::json)
from
(select "t3".*
from "articles_tags_links" as "l2" cross join lateral
(select *
from "articles" as "t3"
where "t3"."id" = "l2"."source_id" and "t3"."status" = 'draft' offset 0) as "t3"
where "l2"."target_document_id" = "t1"."document_id"
order by "l2"."inverse_position", "t3"."id" ) as "t3"))::text
from
(select "t1".*
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = ''
order by "t1"."id"
limit $1::bigint offset $2::bigint) as "t1"

-- 1: 25
-- 2: 0
