/** A kind of thing that a deployment leaves behind, outside its groups. */
export interface Kind {
  readonly name: string;
  /** In the API server, and not in AWS. */
  readonly inCluster: boolean;
  readonly list: () => Promise<readonly string[]>;
  readonly remove: (name: string) => Promise<void>;
  /** Why this one is kept; undefined if it is removed. */
  readonly whyKept?: (name: string) => string | undefined;
  readonly risk?: string;
  /** What happens to one, if it is not deleted. */
  readonly verb?: string;
}
