import type { ContentWrite } from '../store/content-store.js';
import { replaceReferences } from '../store/resolve-data.js';
import type { ContentModel } from '../../model/model.js';
import type { PlannedUnit } from './plan.js';
import type { Data } from './version-data.js';
import { planVersionWrites } from './version-writes.js';

/** Writes that belong to one transaction. */
export interface Step {
  readonly unit: PlannedUnit;
  readonly writes: readonly ContentWrite[];
}

/** Returns the documents that each attribute of a file links. */
const linksOf = (model: ContentModel, { file, draft, published }: PlannedUnit): Map<string, Set<string>> => {
  const links = new Map<string, Set<string>>();
  for (const data of [draft, published ?? {}])
    replaceReferences(model, file.type, data, ({ name, path }) => {
      const [attribute = ''] = path.split('.');
      links.set(attribute, (links.get(attribute) ?? new Set()).add(name));
      return name;
    });
  return links;
};

/** Orders new documents so that each comes after those that it links, as far as they are no cycle. */
const orderByLinks = (model: ContentModel, units: readonly PlannedUnit[]): readonly PlannedUnit[] => {
  const byDocument = new Map<string, PlannedUnit[]>();
  for (const unit of units) {
    const { documentId } = unit.file;
    byDocument.set(documentId, [...(byDocument.get(documentId) ?? []), unit]);
  }
  const ordered: PlannedUnit[] = [];
  const visited = new Set<string>();
  const visit = (documentId: string): void => {
    if (visited.has(documentId)) return;
    visited.add(documentId);
    const own = byDocument.get(documentId) ?? [];
    for (const unit of own)
      for (const targets of linksOf(model, unit).values()) for (const target of targets) visit(target);
    ordered.push(...own);
  };
  for (const documentId of byDocument.keys()) visit(documentId);
  return ordered;
};

const without = (data: Data, names: ReadonlySet<string>): Data =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name)));

/** Writes of a new document whose links in cycles follow when all documents are there. */
const splitCycle = (unit: PlannedUnit, late: ReadonlySet<string>): readonly [Step, Step] => {
  const draft = without(unit.published ?? unit.draft, late);
  const hasDrafts = unit.file.type.draftAndPublish;
  const first = planVersionWrites({ ...unit, draft, published: hasDrafts ? null : draft });
  const state = { draft, published: null };
  return [
    { unit, writes: first },
    { unit, writes: planVersionWrites({ ...unit, isNewDocument: false, current: state }) },
  ];
};

/** Returns the writes of a plan in an order in which links find their targets. */
export function orderWrites(model: ContentModel, units: readonly PlannedUnit[]): readonly Step[] {
  const changed = units.filter(({ writes }) => writes.length > 0);
  const newIds = new Set(changed.filter((unit) => unit.isNewDocument).map(({ file }) => file.documentId));
  const created = orderByLinks(
    model,
    changed.filter(({ file }) => newIds.has(file.documentId)),
  );
  const steps: Step[] = [];
  const lateSteps: Step[] = [];
  for (const unit of created) {
    const isMissing = (documentId: string): boolean => newIds.has(documentId);
    const links = [...linksOf(model, unit)];
    const late = new Set(
      links.filter(([, targets]) => [...targets].some(isMissing)).map(([attribute]) => attribute),
    );
    if (late.size === 0) steps.push({ unit, writes: unit.writes });
    else {
      const [first, last] = splitCycle(unit, late);
      steps.push(first);
      lateSteps.push(last);
    }
    newIds.delete(unit.file.documentId);
  }
  const updates = changed.filter((unit) => !created.includes(unit));
  return [...steps, ...lateSteps, ...updates.map((unit) => ({ unit, writes: unit.writes }))];
}
