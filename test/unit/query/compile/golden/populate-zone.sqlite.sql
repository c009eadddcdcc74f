select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"sections":', ifnull(
(select concat('[', group_concat(ifnull(case "j2"."label" when 'sections.quote' then concat('{"__component":', ifnull(json_quote('sections.quote'), 'null'), ',"id":', ifnull(("j2"."item" -> '$."id"'), 'null'), ',"text":', ifnull(("j2"."item" -> '$."text"'), 'null'), '}') when 'sections.related' then concat('{"__component":', ifnull(json_quote('sections.related'), 'null'), ',"id":', ifnull(("j2"."item" -> '$."id"'), 'null'), ',"tags":', ifnull(
(select concat('[', group_concat(ifnull(concat('{"id":', ifnull(json_quote("t5"."id"), 'null'), ',"documentId":', ifnull(json_quote("t5"."document_id"), 'null'), ',"name":', ifnull(json_quote("t5"."name"), 'null'), '}'), 'null')), ']')
from
(select "t5".*
from jsonb_each(case json_type(("j2"."item" -> '$."tags"')) when 'array' then ("j2"."item" -> '$."tags"') when 'object' then jsonb_array(json(("j2"."item" -> '$."tags"'))) when 'text' then jsonb_array(json(("j2"."item" -> '$."tags"'))) end) as "j6" cross join "tags" as "t5"
where "t5"."document_id" = "j6"."value" and "t5"."locale" = '' and "t5"."status" = 'published' and likelihood("t5"."id" % 251 or "galley_tick"(), 1.0)
order by "j6"."key", "t5"."id" ) as "t5"), 'null'), '}') end, 'null')), ']')
from
(select item, case type when 'object' then item ->> '$."__component"' end as label
from
(select value as item, type
from jsonb_each(case json_type("t1"."sections") when 'array' then "t1"."sections" when 'object' then jsonb_array(json("t1"."sections")) when 'text' then jsonb_array(json("t1"."sections")) end)
limit -1)
limit -1) as "j2"
where "j2"."label" in ('sections.quote', 'sections.related')), 'null'), '}')
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
