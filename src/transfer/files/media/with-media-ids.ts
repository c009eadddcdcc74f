import { replaceReferences } from '../../store/resolve-data.js';
import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import type { ContentModel } from '../../../model/model.js';
import type { Plan } from '../plan.js';
import type { Data } from '../version-data.js';
import { planVersionWrites } from '../version-writes.js';

/** Returns a plan whose documents link uploaded files by other ids. */
export function withMediaIds(model: ContentModel, plan: Plan, ids: ReadonlyMap<string, string>): Plan {
  if (ids.size === 0) return plan;
  const units = plan.units.map((unit) => {
    const replace = (data: Data): Data =>
      replaceReferences(model, unit.file.type, data, ({ type, name }) =>
        type === FILE_UID ? (ids.get(name) ?? name) : name,
      );
    const draft = replace(unit.draft);
    const live = unit.published === unit.draft ? draft : unit.published && replace(unit.published);
    const renamed = { ...unit, draft, published: live };
    return { ...renamed, writes: planVersionWrites(renamed) };
  });
  return { ...plan, units };
}
