/** A plugin of osls: `serverless remove` refuses while an instance or a message waits for Drover. */
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { type Deployment, instancesThatWait, queuesThatHold } from './waiting.ts';

type ClientConfig = Pick<SQSClientConfig, 'region' | 'credentials' | 'endpoint'>;

/** The parts of osls that the plugin uses. */
interface Serverless {
  readonly classes: { readonly Error: new (message: string, code: string) => Error };
  readonly service: { readonly provider: { readonly environment?: Readonly<Record<string, string>> } };
  getProvider(name: 'aws'): {
    readonly naming: { getStackName(): string };
    getAwsSdkV3Config(): Promise<ClientConfig>;
  };
}

const remedy =
  'Without Drover these instances stay until their hooks time out, undrained. Let them finish (`drover status`), ' +
  'empty the dead-letter queues, and remove again.';

export default class RefuseRemoval {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;
  readonly #serverless: Serverless;

  constructor(serverless: Serverless) {
    this.#serverless = serverless;
    this.hooks = { 'before:remove:remove': () => this.refuseWhileAnythingWaits() };
  }

  /** @throws osls' own error, which it prints without a stack, that names everything that waits. */
  async refuseWhileAnythingWaits(): Promise<void> {
    const provider = this.#serverless.getProvider('aws');
    const config = await provider.getAwsSdkV3Config();
    const waiting = await this.#waiting(config, provider.naming.getStackName());
    if (waiting.length === 0) return;
    throw new this.#serverless.classes.Error(
      `Not removed, because something waits for Drover:\n  ${waiting.join('\n  ')}\n${remedy}`,
      'DROVER_STILL_WAITING',
    );
  }

  async #waiting(config: ClientConfig, stackName: string): Promise<readonly string[]> {
    const clusterName = this.#serverless.service.provider.environment?.DROVER_CLUSTER;
    if (!clusterName)
      throw new this.#serverless.classes.Error('serverless.yml names no DROVER_CLUSTER', 'DROVER_NO_CLUSTER');
    const deployment: Deployment = { stackName, clusterName };
    const [instances, queues] = await Promise.all([
      instancesThatWait(new AutoScalingClient(config), deployment),
      // To the endpoint that the operator has chosen (AWS_ENDPOINT_URL), whatever host a queue's URL names.
      queuesThatHold(new SQSClient({ ...config, useQueueUrlAsEndpoint: false }), deployment),
    ]);
    return [...instances, ...queues];
  }
}
