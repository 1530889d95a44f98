export type RotationStep = 'read' | 'decide' | 'make' | 'record' | 'prove' | 'publish' | 'retire';

const remedies: Readonly<Record<RotationStep, string>> = {
  read: 'Check that Drover may read the parameters, and that the API server answers.',
  decide:
    'Find what rotates in a loop; unused tokens may be deleted: Secrets in kube-system with the label drover.dev/bootstrap.',
  make: 'Check that Drover may create Secrets in kube-system (deploy/rbac.yaml).',
  record: 'Check that Drover may write the parameter of the ledger and use its KMS key.',
  prove:
    'Check that the API server runs with --enable-bootstrap-token-auth, answers at the published address, and lets every authenticated user create selfsubjectreviews.',
  publish: 'Check that Drover may write the parameter and use its KMS key.',
  retire: 'Check that Drover may delete Secrets in kube-system (deploy/rbac.yaml); the next run tries again.',
};

export interface RotationErrorOptions extends ErrorOptions {
  /** Replaces the remedy of the step with a more specific one. */
  readonly remedy?: string;
}

/**
 * A rotation failed at a step. The published credential stays: it is one that the API server has accepted.
 */
export class RotationError extends Error {
  override readonly name = 'RotationError';
  readonly step: RotationStep;

  constructor(step: RotationStep, detail: string, { remedy, ...options }: RotationErrorOptions = {}) {
    super(`bootstrap credential, step ${step}: ${detail}. ${remedy ?? remedies[step]}`, options);
    this.step = step;
  }
}

/** Runs one step. Its error becomes the cause of a RotationError that names the action. */
export async function inStep<Result>(
  step: RotationStep,
  detail: string,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    throw new RotationError(step, `${detail} failed`, { cause });
  }
}
