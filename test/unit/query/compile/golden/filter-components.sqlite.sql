select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), '}')
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0) and (exists
(select 1
from jsonb_each(case json_type(("t1"."seo" -> '$."social"')) when 'array' then ("t1"."seo" -> '$."social"') when 'object' then jsonb_array(json(("t1"."seo" -> '$."social"'))) when 'text' then jsonb_array(json(("t1"."seo" -> '$."social"'))) end) as "j2"
where case when json_type("j2"."value", '$."network"') in ('text') then "j2"."value" ->> '$."network"' end = +?) and exists
(select 1
from jsonb_each(case json_type("t1"."links") when 'array' then "t1"."links" when 'object' then jsonb_array(json("t1"."links")) when 'text' then jsonb_array(json("t1"."links")) end) as "j3"
where case when json_type("j3"."value", '$."tag"') in ('text') then "j3"."value" ->> '$."tag"' end in
(select "t4"."document_id"
from "tags" as "t4"
where "t4"."name" = +? and "t4"."locale" = '' and "t4"."status" = 'published')))
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: "bluesky"
-- 3: "red"
-- 4: 25
-- 5: 0
