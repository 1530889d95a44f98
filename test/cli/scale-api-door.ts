import type { CliContext } from '../../cli/context.ts';
import { runCli } from '../../cli/program.ts';
import { administratorAccess, createIam } from '../../local/aws/iam/iam.ts';
import { createHttpApi } from '../../local/lambda/http-api/http-api.ts';
import { createIamAuthorizer } from '../../local/lambda/http-api/iam-authorizer.ts';
import { createRandom } from '../../local/simulation/random.ts';
import type { HttpRequest, HttpResponse } from '../../shared/kubernetes/http.ts';
import { createScaleApiWorld, context as lambdaContext } from '../shared/runtime/scale-api-world.ts';

const endpoint = 'https://sandbox.execute-api.eu-west-1.amazonaws.com';
const accountId = '123456789012';

/** `drover` before the scale API, with API Gateway and its IAM authorizer between them; time passes when a command waits. */
export function createScaleCli() {
  const world = createScaleApiWorld();
  const { cloud } = world;
  const random = createRandom(3);
  const iam = createIam({ clock: cloud.clock, random, accountId });
  const user = iam.putUser({ userName: 'operator', policies: [administratorAccess] });
  const route = {
    routeKey: 'ANY /{proxy+}',
    functionArn: 'scale-api',
    authorizationType: 'AWS_IAM' as const,
    timeoutMilliseconds: 30_000,
  };
  const api = createHttpApi({
    wiring: { accountId, region: 'eu-west-1', routes: [route] },
    lambda: {
      invoke: async (_, event) => ({ kind: 'succeeded', result: await world.handler(event, lambdaContext) }),
    },
    clock: cloud.clock,
    random,
    authorize: createIamAuthorizer({ iam, clock: cloud.clock, signingClock: cloud.clock }),
  });

  const machine = { outage: 0, onPause: () => {} };
  const sendHttp = async ({ method, url, headers, body = '' }: HttpRequest): Promise<HttpResponse> => {
    if (machine.outage-- > 0) throw new Error('connect ECONNREFUSED');
    const { pathname, search } = new URL(url);
    const answer = await api.handle({
      method,
      path: pathname,
      rawQueryString: search.slice(1),
      headers,
      body: Buffer.from(body),
      sourceIp: '192.0.2.1',
    });
    return {
      status: answer.status,
      headers: answer.headers,
      body: Buffer.from(answer.body).toString('utf8'),
    };
  };

  /** Runs a command line and brings its exit code and words. */
  const drover = async (line: string, environment: Readonly<Record<string, string>> = {}) => {
    let stdout = '';
    let stderr = '';
    const context: CliContext = {
      environment: {
        DROVER_API_URL: endpoint,
        AWS_ACCESS_KEY_ID: user.accessKeyId,
        AWS_SECRET_ACCESS_KEY: user.secretAccessKey,
        ...environment,
      },
      homeDirectory: '/nowhere',
      clock: cloud.clock,
      pause: async (milliseconds) => {
        cloud.advance(milliseconds / 1000);
        machine.onPause();
      },
      stdout: { write: (text) => void (stdout += text), isTerminal: false },
      stderr: { write: (text) => void (stderr += text), isTerminal: false },
      readFile: () => Promise.reject(new Error('no file here')),
      runProgram: () => Promise.reject(new Error('no program here')),
      sendHttp,
    };
    const exitCode = await runCli(line.split(' '), context);
    return { exitCode, stdout, stderr };
  };
  return { ...world, drover, machine };
}
