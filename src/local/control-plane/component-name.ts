/** The three programs of a control plane, in the order in which they start. */
export const componentNames = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;
export type ComponentName = (typeof componentNames)[number];

/** How a program is started: its path, and what stands before its own flags. */
export interface Command {
  readonly path: string;
  readonly args: readonly string[];
}

/** What findBinaries found. */
export interface ControlPlaneBinaries {
  /** installed: in KUBEBUILDER_ASSETS or on PATH; downloaded: official and verified; built: from control-plane/. */
  readonly source: 'installed' | 'downloaded' | 'built';
  readonly commands: Readonly<Record<ComponentName, Command>>;
}

/** A cluster that the user has already: nothing is started for it. */
export interface GivenControlPlane {
  readonly kind: 'given';
  readonly name: string;
  readonly kubeconfigPath: string;
  /** The file's current context unless named. */
  readonly context?: string;
}

/** One line that tells a person what is being done. */
export type OnProgress = (line: string) => void;
