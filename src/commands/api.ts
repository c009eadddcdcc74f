import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { parseImpersonation } from '../access/impersonation.js';
import { BaseCommand } from '../cli/base-command.js';
import { API_METHODS, buildApiRequest, isFailure, sendForAllPages, withApi } from '../cli/api-request.js';
import type { ApiRequest, ApiResponse } from '../cli/api-request.js';
import { repeatable } from '../cli/flags.js';
import type { Outcome } from '../cli/outcome.js';
import { openContentProject, remoteFlag } from '../cli/project/command-target.js';
import { parseJson } from '../transfer/remote/send.js';

export default class Api extends BaseCommand<typeof Api> {
  static override summary = 'Send a request to the API and print the response.';
  static override description =
    'Without --remote, serves the request in this process, so that no server must run. The caller then ' +
    'has all rights, unless --as selects another one. Fields become query parameters, or the JSON body of ' +
    'POST, PUT and PATCH, or variables of --graphql. Exits with 1 if the status is 400 or higher.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> /articles -f 'filters[title][$contains]=starter' --as public",
    "<%= config.bin %> <%= command.id %> /tags -X POST -f 'data[name]=Lamps'",
    '<%= config.bin %> <%= command.id %> /articles --paginate --remote production',
    '<%= config.bin %> <%= command.id %> --graphql ' +
      "'query ($n: Int) { tags(pagination: { limit: $n }) { name } }' -F n=3",
  ];
  static override args = {
    path: Args.string({ description: 'Path below the prefix of the API, such as /articles.' }),
  };
  static override flags = {
    method: Flags.option({
      char: 'X',
      options: API_METHODS,
      description: 'Method of the request. [default: GET; POST with --input]',
      helpValue: '<method>',
    })(),
    'raw-field': Flags.string({
      ...repeatable,
      char: 'f',
      description: "Field with a text value: 'filters[title][$eq]=Lamp'. May be repeated.",
      helpValue: '<name=value>',
    }),
    field: Flags.string({
      ...repeatable,
      char: 'F',
      description:
        'Field with a typed value: true, false, null, an integer, or @file for its text. May be repeated.',
      helpValue: '<name=value>',
    }),
    header: Flags.string({
      ...repeatable,
      char: 'H',
      description: "Header of the request: 'Accept-Language: fr'. May be repeated.",
      helpValue: '<name: value>',
    }),
    input: Flags.string({
      description: 'Send the content of a file as the body; "-" reads standard input.',
      helpValue: '<file>',
      exclusive: ['graphql'],
    }),
    graphql: Flags.string({
      description: 'Send a GraphQL document: its text, @file, or "-" for standard input.',
      helpValue: '<document>',
      exclusive: ['paginate'],
    }),
    paginate: Flags.boolean({ description: 'Request all pages of a list and print them as one list.' }),
    include: Flags.boolean({
      char: 'i',
      description: 'Print the status and the headers of the response too.',
    }),
    as: Flags.string({
      description: 'Caller: public, role:editor, user:ada or token:ci. [default: a caller with all rights]',
      helpValue: '<caller>',
      exclusive: ['remote'],
    }),
    ...remoteFlag,
  };
  static override completion = { input: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags, terminal } = this;
    const caller = flags.as === undefined ? ({ kind: 'all' } as const) : parseImpersonation(flags.as);
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const request = await buildApiRequest(terminal, args.path, flags, project.config.api.rest.prefix);
    const response = await withApi(project, { warn: this.messages.warn, caller }, (send) =>
      flags.paginate ? sendForAllPages(send, request) : send(request),
    );
    return this.#describe(request, response);
  }

  #describe({ method, path }: ApiRequest, response: ApiResponse): Outcome {
    const { status, headers, text } = response;
    if (isFailure(response)) this.warn(`${method} ${path || '--graphql'} failed with status ${status}.`);
    const parsed = parseJson(text);
    const isFormatted = parsed !== undefined && this.terminal.stdout.isTTY === true;
    const body = isFormatted ? JSON.stringify(parsed, null, 2) : text;
    const head = [`HTTP ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
    return {
      json: { status, headers, body: parsed ?? text },
      text: this.flags.include ? [...head, '', body].join('\n') : body,
      exitCode: isFailure(response) ? 1 : 0,
    };
  }
}
