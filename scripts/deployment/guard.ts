/** A plugin of osls that guards deployments: their region, parameters and cluster, and what a removal would leave behind. */
import { chosenFunctions } from './conditions.ts';
import { clusterTag, type DroverStack, readLiveStack, stacksOfCluster } from './live-stack.ts';
import type { ClientConfig, Serverless } from './osls.ts';
import { refusedValues } from './refused-values.ts';
import { reasonsAgainstRemoval } from './removal.ts';

/** The commands that call nothing of AWS. */
const offline = new Set(['package', 'print']);
const packaging = new Set(['package', 'deploy']);

/** Its hooks throw osls' own error, which osls prints without a stack. */
export default class DeploymentGuard {
  readonly hooks: Readonly<Record<string, () => Promise<void> | void>>;
  readonly #serverless: Serverless;

  constructor(serverless: Serverless) {
    this.#serverless = serverless;
    this.hooks = {
      initialize: () => {
        this.#refuseOneFunction();
        this.#refuseWithoutRegion();
        this.#refuseParametersOfTheCommandLine();
        this.#refuseValuesThatFunctionsRefuse();
      },
      // Here osls has read the package, which may be an earlier one (`--package`), and has changed nothing yet.
      'before:aws:deploy:deploy:createStack': async () => {
        this.#refuseParametersOfTheCommandLine();
        await this.#refuseAnotherCluster();
        await this.#refuseFirstWithoutOperator();
        await this.#refuseSameNameInAnotherCase();
      },
      'before:remove:remove': () => this.#refuseRemovalWhileNeeded(),
    };
  }

  /** osls would upload the code, then look for a role by its logical id instead of its name, and fail: code and settings would not fit. */
  #refuseOneFunction(): void {
    if (this.#command !== 'deploy function') return;
    throw this.#error(
      'DROVER_ONE_FUNCTION',
      'Not deployed: serverless deploy function would change the code of one function and not its settings. Run serverless deploy.',
    );
  }

  #refuseWithoutRegion(): void {
    if (offline.has(this.#command) || this.#serverless.service.custom.region) return;
    throw this.#error(
      'DROVER_NO_REGION',
      'The region is missing: set AWS_REGION or the region of the AWS profile, or give --region.',
    );
  }

  #refuseParametersOfTheCommandLine(): void {
    const parameters = this.#serverless.service.custom.commandLineParameters ?? [];
    if (this.#command !== 'deploy' || parameters.length === 0) return;
    throw this.#error(
      'DROVER_PARAMETERS_OF_THE_COMMAND_LINE',
      `Not deployed: the next deploy would not know --param ${parameters.join(' --param ')}.\n` +
        `Write parameters into deploy/stages/${this.#provider.getStage()}.yml, and commit it.`,
    );
  }

  #refuseValuesThatFunctionsRefuse(): void {
    const { provider, functions = {}, resources } = this.#serverless.service;
    const values = packaging.has(this.#command)
      ? refusedValues({ provider, functions: chosenFunctions(functions, resources?.Conditions) })
      : [];
    if (values.length === 0) return;
    throw this.#error(
      'DROVER_REFUSED_VALUES',
      `Functions would refuse parameters of the stage ${this.#provider.getStage()}:\n  ${values.join('\n  ')}\n` +
        `Correct them in deploy/stages/${this.#provider.getStage()}.yml. Numbers that begin with 0 need quotes.`,
    );
  }

  async #refuseAnotherCluster(): Promise<void> {
    const live = await this.#readStack(await this.#provider.getAwsSdkV3Config());
    const clusterName = this.#serverless.service.provider.stackTags?.[clusterTag];
    if (live === undefined || live.clusterName === clusterName) return;
    throw this.#error(
      'DROVER_ANOTHER_CLUSTER',
      `Not deployed: the stack ${live.stackName} serves the cluster ${live.clusterName}, and the stage names ${clusterName}. ` +
        `Nodes of ${live.clusterName} would leave undrained. Deploy ${clusterName} as a stage of its own.`,
    );
  }

  /** Later no role could redrive a dead letter: the policies of the queues deny administrators too. */
  async #refuseFirstWithoutOperator(): Promise<void> {
    if (this.#serverless.service.custom.operatorRole) return;
    if ((await this.#readStack(await this.#provider.getAwsSdkV3Config())) !== undefined) return;
    throw this.#error(
      'DROVER_NO_OPERATOR_ROLE',
      `Not deployed: no one could redrive dead letters. Write the role that may do it into deploy/stages/${this.#provider.getStage()}.yml, as ` +
        '`operatorRole: ARN`: `drover operator-role` prints the role that you act as. Or write `operatorRole: none`.',
    );
  }

  async #refuseSameNameInAnotherCase(): Promise<void> {
    const clusterName = this.#serverless.service.provider.stackTags?.[clusterTag];
    if (clusterName === undefined) return;
    const stackName = this.#provider.naming.getStackName();
    const config = await this.#provider.getAwsSdkV3Config();
    const [other] = await stacksOfCluster(config, { stackName, clusterName });
    if (other === undefined) return;
    throw this.#error(
      'DROVER_SAME_CLUSTER_IN_ANOTHER_CASE',
      `Not deployed: the stack ${other.stackName} serves the cluster ${other.clusterName}, which differs from ${clusterName} only in case. ` +
        "IAM compares the keys of tags without case, so each deployment could change the other's groups and instances. " +
        'Rename one of the clusters, or deploy it in another region or account.',
    );
  }

  async #refuseRemovalWhileNeeded(): Promise<void> {
    const config = await this.#provider.getAwsSdkV3Config();
    const live = await this.#readStack(config);
    const reasons = live ? await reasonsAgainstRemoval(config, live) : [];
    if (reasons.length > 0) throw this.#error('DROVER_STILL_NEEDED', reasons.join('\n'));
  }

  async #readStack(config: ClientConfig): Promise<DroverStack | undefined> {
    const live = await readLiveStack(config, this.#provider.naming.getStackName());
    if (live === undefined) return undefined;
    const { clusterName } = live;
    if (clusterName !== undefined) return { ...live, clusterName };
    throw this.#error(
      'DROVER_NO_CLUSTER',
      `The stack ${live.stackName} has no tag ${clusterTag}: it is unknown which cluster it serves, and whether it is Drover's.`,
    );
  }

  get #command(): string {
    return this.#serverless.processedInput.commands.join(' ');
  }

  get #provider(): ReturnType<Serverless['getProvider']> {
    return this.#serverless.getProvider('aws');
  }

  #error(code: string, message: string): Error {
    return new this.#serverless.classes.Error(message, code);
  }
}
