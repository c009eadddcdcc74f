select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'nickname', "t1"."nickname", 'author',
(select json_build_object('id', "t2"."id", 'documentId', "t2"."document_id", 'name', "t2"."name")
from
(select "t2".*
from "authors" as "t2"
where "t2"."profile_document_id" = "t1"."document_id" and "t2"."locale" = '' and "t2"."status" = 'published'
order by "t2"."id"
limit 1) as "t2"))::text
from
(select "t1".*
from "profiles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = ''
order by "t1"."id"
limit $1::bigint offset $2::bigint) as "t1"

-- 1: 25
-- 2: 0
