import * as Args from '@oclif/core/args';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import {
  describeServer,
  describeDifference,
  schemaDifferences,
  openRemote,
} from '../../cli/project/command-target.js';
import { aboutRemote } from '../../transfer/remote/about-remote.js';

export default class RemoteCheck extends BaseCommand<typeof RemoteCheck> {
  static override summary = 'Check the connection to a remote server.';
  static override description =
    'Prints its version, the permissions of the token, and the differences between its content-types ' +
    'and those of this project.';
  static override examples = ['<%= config.bin %> <%= command.id %> production'];
  static override args = {
    name: Args.string({ required: true, description: 'Name of the remote.' }),
  };
  static override completion = { name: 'remote' } as const;

  async run(): Promise<Outcome> {
    const { model } = await openProject(this.projectRoot);
    const access = await openRemote(this.projectRoot, this.args.name, this.messages);
    const about = await aboutRemote(access);
    const differences = schemaDifferences(model, about);
    const { version, token, locales } = about;
    const lines = [
      `${access.name}: ${access.url}`,
      describeServer(about),
      ...differences.map(describeDifference),
    ];
    return {
      json: {
        name: access.name,
        url: access.url,
        version,
        token,
        locales,
        differences: differences.map(({ uid, reasons }) => ({ uid, reasons })),
      },
      text: lines.join('\n'),
    };
  }
}
