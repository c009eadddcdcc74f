import * as Flags from '@oclif/core/flags';
import { parseImpersonation } from '../access/impersonation.js';
import { serveStdioSession } from '../api/mcp/create-mcp-server.js';
import { BaseCommand } from '../cli/base-command.js';
import type { Outcome } from '../cli/outcome.js';
import { printLogLine } from '../cli/project/with-app.js';
import { runUntilStopped } from '../cli/terminal/signals.js';
import { writeText } from '../cli/terminal/terminal.js';
import { createSchemaEditor } from '../project/scaffold/schema-editor.js';
import { openMcpSession } from '../project/serve/open-mcp-session.js';
import { createLogger } from '../server/logger.js';

export default class Mcp extends BaseCommand<typeof Mcp> {
  static override summary = 'Serve the content of the project to an AI agent.';
  static override description =
    'Speaks the Model Context Protocol on standard input and output; agents start this command themselves, ' +
    'see cms agents install. Works without a running server. The agent has all rights, unless --as selects ' +
    'another caller. Deleting documents needs --allow-delete. cms dev serves the same tools at /mcp.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --as public --allow-delete',
  ];
  static override flags = {
    as: Flags.string({
      description: 'Caller: public, role:editor, user:ada or token:ci. [default: a caller with all rights]',
      helpValue: '<caller>',
    }),
    'allow-delete': Flags.boolean({ description: 'Offer the tool that deletes documents.' }),
  };

  async run(): Promise<Outcome> {
    const { flags, terminal } = this;
    const root = this.projectRoot;
    const style = this.styleOn(terminal.stderr);
    const logger = createLogger({
      level: 'warn',
      root,
      stream: { write: (line) => writeText(terminal.stderr, printLogLine(line, style)) },
    });
    const opened = await openMcpSession(root, {
      logger,
      impersonates: flags.as === undefined ? { kind: 'all' } : parseImpersonation(flags.as),
      deletes: flags['allow-delete'] ? true : undefined,
      schemaEditor: createSchemaEditor(root),
    });
    if (terminal.stdin.isTTY === true)
      this.info('Waiting for messages of an agent on standard input. Press Ctrl-C to stop.');
    const streams = { input: terminal.stdin, output: terminal.stdout };
    const { started, running } = await runUntilStopped(async () => {
      const { ended, close } = serveStdioSession(opened.session, streams);
      return { ended, close: () => close().then(opened.close) };
    });
    await Promise.race([running, started.ended.then(started.close)]);
    return { json: { closed: true } };
  }
}
