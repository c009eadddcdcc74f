import { createError } from '../../../errors/catalogue.js';
import { countNoun } from '../../../lib/text.js';
import { sentStatus } from '../../../query/parse/parse-version.js';
import type { CutPointers } from '../fit-response.js';
import { LOCALE_ARGUMENT, TYPE_ARGUMENT, typeNamed } from './targets.js';
import { textArgument } from './tool.js';
import type { Arguments, Tool } from './tool.js';

const TOOL = 'check_content';

/** The list of findings continues at the next `start`; a long message is not worth another call. */
const findingPointers = (args: Arguments, skipped: number): CutPointers => ({
  valueAt: () => `${TOOL} with type and locale`,
  itemsAt: (_path, next) => `${TOOL} ${JSON.stringify({ ...args, start: skipped + next })}`,
});

const checkContent: Tool = {
  name: TOOL,
  title: 'Check content',
  description:
    'Find missing and invalid values, dead links, missing translations, equal slugs, images without ' +
    'alternative text, unused files, and violations of project rules. Requires full access.',
  properties: {
    type: { ...TYPE_ARGUMENT, description: 'Content-type to check. Default: all, and the media library.' },
    locale: { ...LOCALE_ARGUMENT, description: 'Report this locale only. Default: all.' },
    status: { type: 'string', enum: ['draft', 'published'], description: 'Default: both.' },
    start: { type: 'integer', minimum: 0, description: 'Number of findings to skip.' },
  },
  required: [],
  effect: 'reads',
  run: async (call, args) => {
    if (call.caller.grants.kind !== 'all')
      throw createError('mcp/forbidden', { action: 'check', type: 'content', permission: 'full access' });
    const name = textArgument(args, 'type');
    const status = sentStatus(args['status']);
    const report = await call.services.checkContent({
      type: name === undefined ? null : typeNamed(call, name),
      locale: textArgument(args, 'locale'),
      ...(status === undefined ? {} : { statuses: [status] }),
    });
    const { findings, counts, errors, warnings, documents } = report;
    const start = Number(args['start'] ?? 0);
    const summary = `${countNoun(errors, 'error')}, ${countNoun(warnings, 'warning')}`;
    return {
      body: {
        checked: `${countNoun(documents, 'document')}: ${summary}`,
        counts,
        findings: findings.slice(start),
      },
      pointers: findingPointers(args, start),
    };
  },
};

export const CHECK_TOOLS: readonly Tool[] = [checkContent];
