import type { LinkAttribute, Uid } from '../model/model.js';

/** The types a relation or media attribute may point at. */
export function linkTargets(attribute: LinkAttribute): readonly Uid[] {
  if (attribute.target !== null) return [attribute.target];
  return attribute.link?.kind === 'morph' ? attribute.link.targets.map(({ uid }) => uid) : [];
}
