select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id")::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text and (("t1"."views" between $2::bigint and $3::bigint and "t1"."rating" > $4::float8) and (not ("t1"."reads" = any($5::bigint[])) and ("t1"."starts_at" < $6::timestamp and not ("t1"."featured" = $7::boolean))))
order by "t1"."id"
limit $8::bigint offset $9::bigint) as "t1"

-- 1: "en"
-- 2: 1
-- 3: 5
-- 4: 2.5
-- 5: "{\"1\",\"2\"}"
-- 6: "2026-01-01T00:00:00.000Z"
-- 7: true
-- 8: 25
-- 9: 0
