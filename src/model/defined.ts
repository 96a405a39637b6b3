/** The keys of T whose value may be undefined, made optional and never undefined. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A copy without the keys whose value is undefined: a property that is not known is left out, not set to undefined. */
export function defined<T extends object>(value: T): Defined<T> {
  // The type says just what the filter does.
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Defined<T>;
}
