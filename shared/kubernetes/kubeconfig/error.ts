/** Everything that is wrong with a kubeconfig, by field. Values are never quoted, because most of them are secrets. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[], cause?: unknown) {
    super(`the kubeconfig is not usable: ${problems.join('; ')}`, { cause });
    this.problems = problems;
  }
}
