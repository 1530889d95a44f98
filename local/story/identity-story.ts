import type { Story, StoryParts } from './story.ts';
import type { View } from './view.ts';

export interface IdentityStoryParts extends Pick<StoryParts, 'say'> {
  /** Logs in with the IAM role of the story. Resolves with its username in the cluster; undefined if no entry maps the role. */
  readonly logIn: () => Promise<string | undefined>;
  /** Puts an entry for the role into the mapping, or takes it out. */
  readonly map: (isMapped: boolean) => void;
  /** Whether the story before this one has ended. */
  readonly isQuiet: () => boolean;
  readonly onProblem: (problem: unknown) => void;
}

/** The webhook reads the mapping again after half a minute. */
const tryAgainMilliseconds = 5000;

type Chapter =
  | { readonly kind: 'waiting' }
  /** `wanted`: whether she is to get in next. */
  | { readonly kind: 'trying'; readonly wanted: boolean; readonly at: number; readonly isAsking: boolean }
  | { readonly kind: 'ended' };

/** A user with an IAM role gets access to the cluster by the mapping, and loses it with the mapping. */
export function createIdentityStory({ say, logIn, map, isQuiet, onProblem }: IdentityStoryParts): Story {
  let chapter: Chapter = { kind: 'waiting' };

  const conclude = (user: string | undefined, at: number, wanted: boolean): Chapter => {
    if ((user !== undefined) !== wanted) return { kind: 'trying', wanted, at, isAsking: false };
    if (user === undefined) {
      say('Ann has no access to the cluster any more. Her IAM role is unchanged.');
      return { kind: 'ended' };
    }
    say(
      `Ann is ${user} in the cluster, with the token of her IAM role. Now the entry is taken out of aws-auth.`,
    );
    map(false);
    return { kind: 'trying', wanted: false, at, isAsking: false };
  };
  const ask = async (at: number, wanted: boolean): Promise<void> => {
    try {
      chapter = conclude(await logIn(), at, wanted);
    } catch (error) {
      chapter = { kind: 'ended' };
      onProblem(error);
    }
  };
  const begin = (at: number): Chapter => {
    say(
      'Ann may assume the IAM role dev, which has no access to the cluster. The ConfigMap aws-auth gets an entry for it:',
    );
    say('  kubectl --namespace kube-system get configmap aws-auth --output yaml');
    map(true);
    return { kind: 'trying', wanted: true, at, isAsking: false };
  };

  return {
    look: ({ at }: View) => {
      if (chapter.kind === 'waiting' && isQuiet()) chapter = begin(at);
      if (chapter.kind !== 'trying' || chapter.isAsking || at < chapter.at) return;
      const { wanted } = chapter;
      chapter = { ...chapter, isAsking: true };
      void ask(at + tryAgainMilliseconds, wanted);
    },
    hasEnded: () => chapter.kind === 'ended',
  };
}
