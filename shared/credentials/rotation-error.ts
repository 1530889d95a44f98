export type RotationStep = 'read' | 'decide' | 'make' | 'prove' | 'publish' | 'retire';

const remedies: Readonly<Record<RotationStep, string>> = {
  read: 'See that Drover may read the parameters and list the Secrets of kube-system, and that the API server answers.',
  decide:
    'Find what rotates in a loop; tokens that nobody needs may be deleted: Secrets in kube-system with the label drover.dev/bootstrap.',
  make: 'See that Drover may create Secrets in kube-system (deploy/rbac.yaml).',
  prove:
    'See that the API server runs with --enable-bootstrap-token-auth, is reached at the published address, and lets every authenticated user create selfsubjectreviews.',
  publish: 'See that Drover may write the parameter and use its KMS key.',
  retire: 'See that Drover may delete Secrets in kube-system (deploy/rbac.yaml); the next run tries again.',
};

export interface RotationErrorOptions extends ErrorOptions {
  /** What helps, where it is known better than by the step. */
  readonly remedy?: string;
}

/**
 * A rotation that did not come to its end, and where it stopped. Nothing that was published is taken back: before and
 * after this error the published credential is one that the API server has accepted.
 */
export class RotationError extends Error {
  override readonly name = 'RotationError';
  readonly step: RotationStep;

  constructor(step: RotationStep, detail: string, { remedy, ...options }: RotationErrorOptions = {}) {
    super(`bootstrap credential, step ${step}: ${detail}. ${remedy ?? remedies[step]}`, options);
    this.step = step;
  }
}

/** Runs one step; what it throws becomes the cause of a RotationError that says what was being done. */
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
