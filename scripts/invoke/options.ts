import { parseArgs } from 'node:util';

export interface InvokeOptions {
  readonly functionName: string;
  readonly eventFile: string;
  /** Defaults to a small sandbox of its own. */
  readonly endpoint?: string | undefined;
}

export const usage = `npm run invoke -- FUNCTION EVENT [--endpoint URL]

Runs a packaged function once, with the environment and the role of the template, and prints what it writes and answers.

  FUNCTION        intake, node-leaving, sweep, bootstrap-credential, certificate-requests or scale-api
  EVENT           a file with the event, such as events/terminate-action.json; for a function that reads a queue an event
                  that is none of SQS becomes the body of a message
  --endpoint URL  the AWS endpoint of a running sandbox (npm start prints it), with credentials from AWS_ACCESS_KEY_ID and
                  AWS_SECRET_ACCESS_KEY; without it the function runs against a small sandbox of its own
`;

/** Undefined for `--help`. @throws TypeError for an option that does not exist. */
export function readOptions(parameters: readonly string[]): InvokeOptions | undefined {
  const { positionals, values } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { endpoint: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  const [functionName, eventFile] = positionals;
  if (values.help || !functionName || !eventFile || positionals.length > 2) return undefined;
  return { functionName, eventFile, endpoint: values.endpoint };
}
