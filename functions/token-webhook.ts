import { createAskSts, partitionOf } from '../shared/aws/ask-sts.ts';
import { endpointOf } from '../shared/aws/client-settings.ts';
import { ec2Client, iamClient, ssmClient } from '../shared/aws/clients.ts';
import { isThrottled } from '../shared/aws/errors.ts';
import { createInstanceSource } from '../shared/aws/identity-instances.ts';
import { readValues } from '../shared/aws/parameters.ts';
import type { LambdaHandler } from '../shared/base/lambda.ts';
import { createLog, type Log } from '../shared/base/log.ts';
import { createMetrics, type Metrics } from '../shared/base/metrics.ts';
import { keptStsAnswers } from '../shared/identity/kept-sts-answers.ts';
import { keptInTime, longestMilliseconds } from '../shared/identity/kept-while-away.ts';
import type { Mapping } from '../shared/identity/mapping.ts';
import { createNodeInstances } from '../shared/identity/node-instances.ts';
import {
  type DocumentsReading,
  isBroken,
  listsOf,
  parseDocuments,
} from '../shared/identity/parse-mapping.ts';
import { BrokenMappingError, type MappingTrust, readMapping } from '../shared/identity/read-mapping.ts';
import type { Patience } from '../shared/identity/read-patiently.ts';
import { readTogether } from '../shared/identity/read-together.ts';
import { answerWebhook } from '../shared/identity/webhook.ts';
import { readWebhookSecrets, type WebhookSecrets } from '../shared/identity/webhook-secret.ts';
import { createApi } from '../shared/kubernetes/api.ts';
import { configMapData } from '../shared/kubernetes/config-maps.ts';
import { tryingOnce } from '../shared/runtime/aws-connection.ts';
import { clusterConnectionsWithoutIam } from '../shared/runtime/cluster.ts';
import { ConfigError, readConfig } from '../shared/runtime/config.ts';
import type { FunctionHost } from '../shared/runtime/host.ts';
import { createHttpHandler } from '../shared/runtime/http-handler.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';
import type { HttpResult } from '../shared/scale-api/http-call.ts';

/**
 * Answers the TokenReviews of API servers, behind an HTTP API of its own.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function create(host: FunctionHost): LambdaHandler<unknown, HttpResult> {
  const names = readConfig(host.environment, [
    'region',
    'clusterName',
    'tokenWebhookSecretParameter',
    'identityMappingParameter',
    'nodeVpcId',
  ]);
  const { clock } = host;
  // No retries by the SDK: a refused call counts too. What was kept is used meanwhile, and only a read without anything kept is repeated.
  const connection = tryingOnce(host);
  const log = createLog(host, { function: 'token-webhook' });
  const patience = patienceOf(host);
  const ssm = ssmClient(connection);
  const readParameter = readTogether({
    clock,
    names: [names.tokenWebhookSecretParameter, names.identityMappingParameter],
    read: (both) => readValues(ssm, both),
  });
  const reportError = (message: string, error: unknown): void => log.error(message, error);
  const secrets = secretsIn(names.tokenWebhookSecretParameter);
  const context = {
    clock,
    now: () => clock.now(),
    partition: partitionOf(names.region),
    askSts: keptStsAnswers({
      clock,
      askSts: createAskSts({
        requestHandler: connection.requestHandler,
        clusterId: names.clusterName,
        endpoint: endpointOf('STS', host.environment),
        trace: host.trace,
      }),
      onKept: (error) => log.error('STS does not answer; its last answer about the token is used', error),
    }),
    readSecrets: keptInTime({
      patience,
      log,
      what: 'the secret',
      read: async () => secrets(await readParameter(names.tokenWebhookSecretParameter)),
    }),
    readMappings: identitySources(host, { log, readParameter }),
    findInstance: createNodeInstances({
      ...patience,
      log,
      source: createInstanceSource(ec2Client(connection), iamClient(connection), names.nodeVpcId),
    }),
    record: (fields: Readonly<Record<string, string>>) => log.info('token', { ...fields }),
    reportError,
  };
  return createHttpHandler({ answer: (call) => answerWebhook(context, call), log, clock, isQuiet: true });
}

export const handler = onLambda(create);

const secretsIn =
  (parameter: string) =>
  (text: string | undefined): WebhookSecrets => {
    const secrets = text === undefined ? undefined : readWebhookSecrets(text);
    if (secrets) return secrets;
    throw new ConfigError([
      `the parameter ${parameter} must be a SecureString {"current": "..."} with 32 to 256 letters and digits: see docs/identity.md`,
    ]);
  };

const patienceOf = ({ clock, randomBytes }: FunctionHost): Patience => ({
  clock,
  chance: () => (randomBytes(1)[0] ?? 0) / 255,
  isThrottled,
});

/**
 * The sources of the mapping in the order of their precedence: the parameter, and the ConfigMap kube-system/aws-auth if the deployment reads
 * it. A missing source maps no identity. A source that is broken as a whole counts as unavailable: its last value is used for ten minutes, and
 * after that this source and the ones after it are unknown. Each read logs what could not be read.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
function identitySources(
  host: FunctionHost,
  {
    log,
    readParameter,
  }: { readonly log: Log; readonly readParameter: (name: string) => Promise<string | undefined> },
): readonly (() => Promise<Mapping>)[] {
  const { clusterName, identityMappingParameter, identityConfigMap } = readConfig(host.environment, [
    'clusterName',
    'identityMappingParameter',
    'identityConfigMap',
  ]);
  const metrics = createMetrics(host, clusterName);
  const patience = patienceOf(host);
  const parameter = keptInTime({
    patience,
    log,
    what: 'the mapping',
    read: async () => {
      const text = await readParameter(identityMappingParameter);
      return mappingOf(text === undefined ? nothing : parseDocuments(text), {
        source: identityMappingParameter,
        trust: 'all',
        log,
        metrics,
      });
    },
  });
  if (identityConfigMap === 'off') return [parameter];
  const readData = configMapData(
    createApi({
      connections: clusterConnectionsWithoutIam(host),
      sendHttp: host.sendHttp,
      timeoutMilliseconds: longestMilliseconds,
    }),
  );
  const configMap = keptInTime({
    patience,
    log,
    what: 'the ConfigMap kube-system/aws-auth',
    read: async () =>
      mappingOf(listsOf((await readData('kube-system', 'aws-auth')) ?? {}), {
        source: 'aws-auth',
        trust: identityConfigMap === 'trusted' ? 'all' : 'nodes-at-most',
        log,
        metrics,
      }),
  });
  return [parameter, configMap];
}

const nothing: DocumentsReading = { documents: {}, problems: [] };

interface MappingParts {
  readonly source: string;
  readonly trust: MappingTrust;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** @throws BrokenMappingError if the source is broken as a whole. */
function mappingOf(reading: DocumentsReading, { source, trust, log, metrics }: MappingParts): Mapping {
  const { mapping, problems: left } = readMapping(reading.documents, trust);
  const problems = [...reading.problems, ...left];
  if (isBroken(reading)) {
    metrics.put({ IdentityMappingBroken: 1 });
    throw new BrokenMappingError(source, problems);
  }
  for (const problem of problems) log.warn('an entry of the mapping is left out', { source, problem });
  return { ...mapping, source };
}
