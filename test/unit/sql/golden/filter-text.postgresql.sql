select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id")::text
from
(select "t1".*
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and ((strpos(replace(lower((replace("t1"."name", 'İ', 'i̇')) collate "pg_c_utf8") collate "C", 'ς', 'σ'), replace(lower((replace($1::text, 'İ', 'i̇')) collate "pg_c_utf8") collate "C", 'ς', 'σ')) > 0 or (starts_with("t1"."name", $2::text) and right("t1"."name", length($3::text)) = $4::text)) or ("t1"."name" = any($5::text[]) or "t1"."label" is null))
order by "t1"."id"
limit $6::bigint offset $7::bigint) as "t1"

-- 1: "É"
-- 2: "a"
-- 3: "z"
-- 4: "z"
-- 5: "{\"a\",\"b\"}"
-- 6: 25
-- 7: 0
