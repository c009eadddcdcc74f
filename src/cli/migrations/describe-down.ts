import type { ContentChange } from '../../migrations/content/content-plan.js';
import type { DownResult } from '../../migrations/history/migrate-down.js';
import type { ContentModel } from '../../model/model.js';
import type { DataLoss } from '../prompts/confirmation.js';
import { describeLosses } from './describe-loss.js';

const toDataLoss = ({ type, path, reason, values }: ContentChange): DataLoss => ({
  what: path === null ? type : `${type} ${path}`,
  reason,
  rows: values,
});

/** What was written since and the older schema has no place for. */
export const downLosses = (
  model: ContentModel,
  { losses, contentChanges }: Pick<DownResult, 'losses' | 'contentChanges'>,
): readonly DataLoss[] => [
  ...describeLosses(model, losses),
  ...contentChanges.filter(({ kind }) => kind === 'dropped').map(toDataLoss),
];
