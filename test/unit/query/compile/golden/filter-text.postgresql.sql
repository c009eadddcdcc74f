select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id")::text
from
(select "t1".*
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and ((strpos(replace(lower((replace("t1"."name", 'İ', 'i̇')) collate "pg_c_utf8") collate "C", 'ς', 'σ'), replace(lower((replace($1::text, 'İ', 'i̇')) collate "pg_c_utf8") collate "C", 'ς', 'σ')) > 0 or (("t1"."name" collate "C" >= $2::text and "t1"."name" collate "C" < ($3::text || chr(1114111)) and starts_with("t1"."name", $4::text)) and right("t1"."name", length($5::text)) = $6::text)) or ("t1"."name" collate "C" = any($7::text[]) or "t1"."label" is null))
order by "t1"."id"
limit $8::bigint offset $9::bigint) as "t1"

-- 1: "É"
-- 2: "a"
-- 3: "a"
-- 4: "a"
-- 5: "z"
-- 6: "z"
-- 7: "{\"a\",\"b\"}"
-- 8: 25
-- 9: 0
