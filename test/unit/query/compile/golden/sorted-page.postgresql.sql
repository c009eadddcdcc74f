select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'name', "t1"."name")::text
from
(select "t1".*
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = ''
order by "t1"."weight" desc nulls last, "t1"."name" collate "C" asc nulls first, "t1"."id"
limit $1::bigint offset $2::bigint) as "t1"

-- 1: 10
-- 2: 5
