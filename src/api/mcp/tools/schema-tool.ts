import { createError } from '../../../errors/catalogue.js';
import { defined } from '../../../lib/assert.js';
import { isRecord } from '../../../lib/records.js';
import { countNoun } from '../../../lib/text.js';
import type { SchemaPlan } from '../mcp-services.js';
import { assertConfirmation, issueConfirmation } from '../plans.js';
import { CONFIRM_ARGUMENT } from './targets.js';
import { invalidArgument } from './tool.js';
import type { Arguments, Tool } from './tool.js';

const TOOL = 'change_schema';

const DESCRIPTION = [
  'Change content-types and components in one migration. Always returns a plan first: file differences, SQL,',
  'and the effect on stored values. Changes, in order:',
  '{"action":"addType","name":"article","kind":"single"?,"draftAndPublish"?,"localized"?,"attributes":{…}},',
  '{"action":"addComponent","name":"shared.seo","attributes":{…}},',
  '{"action":"addAttributes","type":"article","attributes":{…}},',
  '{"action":"editAttribute","type","attribute","set":{"required":true},"unset":["default"]},',
  '{"action":"renameAttribute","type","attribute","to"}, {"action":"removeAttribute","type","attribute"},',
  '{"action":"editType","type","displayName"?,"draftAndPublish"?,"localized"?},',
  '{"action":"renameType","type","to","plural"?}, {"action":"removeType","type"}.',
  'Attributes are as in schema files: {"title":{"type":"string","required":true}}, or a shorthand:',
  '"string:required,maxLength=80", "relation:manyToOne,target=author,inversedBy=articles",',
  '"component:component=shared.seo", "media:allowedTypes=images", "uid:targetField=title",',
  '"enumeration:enum=a|b", "dynamiczone:components=blocks.quote|blocks.text".',
].join(' ');

const changesOf = ({ changes }: Arguments): readonly Readonly<Record<string, unknown>>[] => {
  const list: readonly unknown[] = Array.isArray(changes) ? changes : [];
  const records = list.filter(isRecord);
  if (records.length === list.length && list.length > 0) return records;
  throw invalidArgument(TOOL, 'changes', {
    reason: 'must be a list of at least one object',
    remedy: 'Send [{"action":"addType","name":"article","attributes":{"title":"string:required"}}].',
  });
};

const summaryOf = ({ files, impact, isDestructive }: SchemaPlan): string => {
  const effects = impact.length === 0 ? 'no stored value changes' : countNoun(impact.length, 'effect');
  const warning = isDestructive ? ' Stored values are lost or become invalid: ask first.' : '';
  return `Would change ${countNoun(files.length, 'file')}; ${effects}.${warning}`;
};

const changeSchema: Tool = {
  name: TOOL,
  title: 'Change content-types',
  description: DESCRIPTION,
  properties: {
    changes: { type: 'array', items: { type: 'object' }, description: 'The changes, in order.' },
    confirm: CONFIRM_ARGUMENT,
  },
  required: ['changes'],
  effect: 'destroys',
  isAvailable: ({ schemas }) => schemas !== null,
  run: async (call, args) => {
    const schemas = defined(call.abilities.schemas, 'The schema editor');
    if (call.caller.grants.kind !== 'all')
      throw createError('mcp/forbidden', {
        action: 'change',
        type: 'content-types',
        permission: 'full access',
      });
    const changes = changesOf(args);
    const plan = await schemas.plan(changes);
    const planned = { tool: TOOL, args, state: plan.state };
    if (args['confirm'] === undefined) {
      const { files, sql, impact } = plan;
      const confirm = issueConfirmation(call, planned);
      const next = `Call ${TOOL} with the same changes and confirm.`;
      return { body: { plan: summaryOf(plan), impact, files, sql, confirm, next } };
    }
    assertConfirmation(call, planned);
    const applied = await schemas.apply(changes, plan.state);
    if (applied === null) throw createError('mcp/plan-changed', { tool: TOOL, minutes: 30 });
    const { files, migration } = applied;
    return { body: { done: `Changed ${countNoun(files.length, 'file')}.`, files, migration } };
  },
};

export const SCHEMA_TOOLS: readonly Tool[] = [changeSchema];
