import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { parseImpersonation } from '../../access/impersonation.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { printUnifiedDiff } from '../../lib/files.js';
import { AGENTS, planAgentFiles } from '../../project/scaffold/agent-files.js';
import type { AgentName } from '../../project/scaffold/agent-files.js';
import { applyChanges } from '../../project/scaffold/workspace.js';

const isAgent = (name: string): name is AgentName => Object.hasOwn(AGENTS, name);

const NAMES = Object.keys(AGENTS).filter(isAgent);

export default class AgentsInstall extends BaseCommand<typeof AgentsInstall> {
  static override summary = 'Connect an AI agent to the project.';
  static override description =
    'Adds cms mcp to the configuration of the agent in this project, and writes a skill file: commands, ' +
    'conventions, and what the agent must never do. Existing entries and files are kept.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> claude',
    '<%= config.bin %> <%= command.id %> cursor --as role:editor',
    '<%= config.bin %> <%= command.id %> codex --print',
  ];
  static override args = {
    agent: Args.string({
      required: true,
      options: NAMES,
      description: `Agent: ${NAMES.join(', ')}.`,
    }),
  };
  static override flags = {
    as: Flags.string({
      description: 'Caller whose rights the agent has; see cms mcp. [default: all rights]',
      helpValue: '<caller>',
    }),
    'allow-delete': Flags.boolean({ description: 'Offer the agent the tool that deletes documents.' }),
    print: Flags.boolean({ description: 'Print the files instead of writing them.', exclusive: ['dry-run'] }),
    'dry-run': Flags.boolean({ description: 'Print the changes without making them.' }),
  };

  async run(): Promise<Outcome> {
    const { flags } = this;
    const agent = NAMES.find((name) => name === this.args.agent) ?? 'claude';
    if (flags.as !== undefined) parseImpersonation(flags.as);
    const options = [
      ...(flags.as === undefined ? [] : ['--as', flags.as]),
      ...(flags['allow-delete'] ? ['--allow-delete'] : []),
    ];
    const root = this.projectRoot;
    const { changes, kept } = await planAgentFiles(root, agent, options);
    const files = changes.map(({ path }) => path);
    for (const path of kept) this.info(`${path} exists already and is kept.`);
    if (flags.print || flags['dry-run']) {
      const text = changes
        .map((change) => (flags.print ? `# ${change.path}\n${change.after ?? ''}` : printUnifiedDiff(change)))
        .join('\n');
      return {
        json: { agent, dryRun: true, files: changes.map(({ path, after }) => ({ path, text: after })), kept },
        text,
      };
    }
    await applyChanges(root, changes);
    if (files.length > 0)
      this.info(`Restart ${AGENTS[agent].name} in this folder, and approve the server galley.`);
    return { json: { agent, files, kept }, text: files.join('\n') };
  }
}
