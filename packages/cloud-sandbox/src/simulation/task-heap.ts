/** A task in simulated time; of two at the same millisecond the one that was set first comes first. */
export interface Task {
  readonly at: number;
  readonly sequence: number;
  readonly run: () => void;
  cancelled: boolean;
}

/** A binary heap of tasks, the next one on top. */
export interface TaskHeap {
  peek(): Task | undefined;
  push(task: Task): void;
  pop(): Task | undefined;
}

const before = (one: Task, other: Task): boolean =>
  one.at < other.at || (one.at === other.at && one.sequence < other.sequence);

export function createTaskHeap(): TaskHeap {
  const tasks: Task[] = [];

  /** Swaps a child with its parent if the child is due earlier; returns whether it did. */
  const swapIfEarlier = (child: number, parent: number): boolean => {
    const lower = tasks[child];
    const upper = tasks[parent];
    if (lower === undefined || upper === undefined || !before(lower, upper)) return false;
    tasks[child] = upper;
    tasks[parent] = lower;
    return true;
  };
  const smallerChild = (index: number): number => {
    const [left, right] = [tasks[index * 2 + 1], tasks[index * 2 + 2]];
    return left && right && before(right, left) ? index * 2 + 2 : index * 2 + 1;
  };
  const rise = (from: number): void => {
    for (let index = from; index > 0; index = (index - 1) >> 1)
      if (!swapIfEarlier(index, (index - 1) >> 1)) return;
  };
  const sink = (): void => {
    for (let index = 0, child = smallerChild(0); swapIfEarlier(child, index); ) {
      index = child;
      child = smallerChild(index);
    }
  };

  return {
    peek: () => tasks[0],
    push: (task) => {
      tasks.push(task);
      rise(tasks.length - 1);
    },
    pop: () => {
      const top = tasks[0];
      const last = tasks.pop();
      if (tasks.length > 0 && last !== undefined) {
        tasks[0] = last;
        sink();
      }
      return top;
    },
  };
}
