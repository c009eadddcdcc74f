select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title", 'cover',
(select json_build_object('id', "t2"."id", 'documentId', "t2"."document_id", 'url', "t2"."url")
from "files" as "t2"
where "t2"."document_id" = "t1"."cover_document_id" and "t2"."locale" = '' and "t2"."status" = 'published'), 'author',
(select json_build_object('id', "t3"."id", 'documentId', "t3"."document_id", 'name', "t3"."name")
from "authors" as "t3"
where "t3"."document_id" = "t1"."author_document_id" and "t3"."locale" = '' and "t3"."status" = 'published'))::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text
order by "t1"."id"
limit $2::bigint offset $3::bigint) as "t1"

-- 1: "en"
-- 2: 25
-- 3: 0
