select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'name', "t1"."name", 'weight', "t1"."weight", 'label', "t1"."label", 'createdAt', to_char("t1"."created_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt', to_char("t1"."updated_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'publishedAt', to_char("t1"."published_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
from
(select "t1".*
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = ''
order by "t1"."id"
limit $1::bigint offset $2::bigint) as "t1"

-- 1: 25
-- 2: 0
