select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'title', "t1"."title", 'rating', "t1"."rating", 'reads', "t1"."reads"::text, 'featured', "t1"."featured", 'startsAt', to_char("t1"."starts_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'extra', "t1"."extra")::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text
order by "t1"."id"
limit $2::bigint offset $3::bigint) as "t1"

-- 1: "en"
-- 2: 25
-- 3: 0
