select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"seo":', ifnull(case when not coalesce(json_type("t1"."seo"), 'null') = 'null' then concat('{"id":', ifnull(("t1"."seo" -> '$."id"'), 'null'), ',"metaTitle":', ifnull(("t1"."seo" -> '$."metaTitle"'), 'null'), ',"image":', ifnull(
(select concat('{"id":', ifnull(json_quote("t3"."id"), 'null'), ',"documentId":', ifnull(json_quote("t3"."document_id"), 'null'), ',"url":', ifnull(json_quote("t3"."url"), 'null'), '}')
from "files" as "t3"
where "t3"."document_id" = case when json_type("t1"."seo", '$."image"') in ('text') then "t1"."seo" ->> '$."image"' end and "t3"."locale" = '' and "t3"."status" = 'published' and likelihood("t3"."id" % 251 or "galley_tick"(), 1.0)), 'null'), ',"social":', ifnull(
(select concat('[', group_concat(ifnull(concat('{"id":', ifnull(("j4"."value" -> '$."id"'), 'null'), ',"network":', ifnull(("j4"."value" -> '$."network"'), 'null'), ',"handle":', ifnull(("j4"."value" -> '$."handle"'), 'null'), '}'), 'null')), ']')
from jsonb_each(case json_type(("t1"."seo" -> '$."social"')) when 'array' then ("t1"."seo" -> '$."social"') when 'object' then jsonb_array(json(("t1"."seo" -> '$."social"'))) when 'text' then jsonb_array(json(("t1"."seo" -> '$."social"'))) end) as "j4"), 'null'), '}') end, 'null'), ',"links":', ifnull(
(select concat('[', group_concat(ifnull(concat('{"id":', ifnull(("j6"."value" -> '$."id"'), 'null'), ',"label":', ifnull(("j6"."value" -> '$."label"'), 'null'), ',"tag":', ifnull(
(select concat('{"id":', ifnull(json_quote("t8"."id"), 'null'), ',"documentId":', ifnull(json_quote("t8"."document_id"), 'null'), ',"name":', ifnull(json_quote("t8"."name"), 'null'), '}')
from "tags" as "t8"
where "t8"."document_id" = case when json_type("j6"."value", '$."tag"') in ('text') then "j6"."value" ->> '$."tag"' end and "t8"."locale" = '' and "t8"."status" = 'published' and likelihood("t8"."id" % 251 or "galley_tick"(), 1.0)), 'null'), '}'), 'null')), ']')
from jsonb_each(case json_type("t1"."links") when 'array' then "t1"."links" when 'object' then jsonb_array(json("t1"."links")) when 'text' then jsonb_array(json("t1"."links")) end) as "j6"), 'null'), '}')
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
