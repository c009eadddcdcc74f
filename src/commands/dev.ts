import { startDev } from '../app/start-dev.js';
import { loadConfig } from '../config/load-config.js';
import { createLogger } from '../server/logger.js';
import { BaseCommand } from './base.js';
import { printLogLine } from './support/dev-log.js';
import { createDevQuestions } from './support/dev-questions.js';
import { createDevReporter } from './support/dev-report.js';
import type { Outcome } from './support/outcome.js';
import { serverFlags } from './support/server-flags.js';
import { writeText } from './support/terminal.js';
import { runUntilStopped } from './support/until-stopped.js';

export default class Dev extends BaseCommand<typeof Dev> {
  static override summary = 'Serve the project and follow its files.';
  static override description = [
    'A saved content-type is migrated, generated and served at once, without dropping a request. A file with a mistake, or a change',
    'that would lose data, leaves the API as it was. The address goes to stdout, everything else to stderr.',
  ].join(' ');
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --port 8080 --host 0.0.0.0'];
  static override flags = serverFlags;

  async run(): Promise<Outcome> {
    const root = this.projectRoot;
    const { port, host } = this.flags;
    const overrides = { port, host };
    const { logLevel } = await loadConfig(root, overrides);
    const style = this.styleOn(this.terminal.stderr);
    const reporter = createDevReporter(this.terminal, style);
    const logger = createLogger({ level: logLevel, stream: { write: (line) => writeText(this.terminal.stderr, printLogLine(line, style)) } });
    const questions = this.canPrompt ? createDevQuestions(root, this.terminal) : {};
    const { started, running } = await runUntilStopped(() => startDev(root, { overrides, logger, questions, onEvent: reporter.report }));
    reporter.listening(started.url);
    return { json: { url: started.url }, text: started.url, running };
  }
}
