import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { logUncaughtErrors } from '../project/late-errors.js';
import { createSchemaEditor } from '../project/scaffold/schema-editor.js';
import { startDev } from '../project/serve/start-dev.js';
import { loadConfig } from '../config/load-config.js';
import { createLogger } from '../server/logger.js';
import { BaseCommand } from '../cli/base-command.js';
import { printLogLine } from '../cli/project/with-app.js';
import { createDevPrompts, createDevReporter } from '../cli/server/dev-terminal.js';
import type { Outcome } from '../cli/outcome.js';
import { serverFlags } from '../cli/flags.js';
import { writeText } from '../cli/terminal/terminal.js';
import { runUntilStopped } from '../cli/terminal/signals.js';

export default class Dev extends BaseCommand<typeof Dev> {
  static override summary = 'Serve the project and reload it when files change.';
  static override description =
    'When a content-type is saved, migrates the database, generates files and serves the new API ' +
    'without dropping requests. If a file has an error, or a change would lose data, keeps serving ' +
    'the previous API. Prints the address to stdout and everything else to stderr.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --port 8080 --host 0.0.0.0',
  ];
  static override flags = {
    ...serverFlags,
    content: Flags.string({
      description: 'Folder of content files to apply when saved; see cms content pull.',
      helpValue: '<folder>',
    }),
  };
  static override completion = { content: 'path' } as const;

  async run(): Promise<Outcome> {
    const root = this.projectRoot;
    const { port, host } = this.flags;
    const content = this.flags.content && resolve(this.terminal.cwd, this.flags.content);
    const overrides = { port, host };
    const { logLevel } = await loadConfig(root, overrides);
    const style = this.styleOn(this.terminal.stderr);
    const reporter = createDevReporter(this.terminal, style);
    const logger = createLogger({
      level: logLevel,
      root,
      stream: { write: (line) => writeText(this.terminal.stderr, printLogLine(line, style)) },
    });
    const stopLogging = logUncaughtErrors(logger);
    const prompts = this.canPrompt ? createDevPrompts(root, this.terminal) : {};
    try {
      const { started, running } = await runUntilStopped(() =>
        startDev(root, {
          overrides,
          logger,
          prompts,
          content,
          schemaEditor: createSchemaEditor(root),
          onEvent: reporter.report,
        }),
      );
      reporter.listening(started.url);
      return { json: { url: started.url }, text: started.url, running: running.finally(stopLogging) };
    } catch (error) {
      stopLogging();
      throw error;
    }
  }
}
