/** What decides whether a machine can make a box. */
export interface MachineFacts {
  isRoot: boolean
  hasBubblewrap: boolean
  /** The program that installs packages; null: none that is known. */
  installer: string | null
  /** Settings of the kernel by their names; those that it does not have are missing. */
  settings: Readonly<Record<string, string>>
  isChroot: boolean
  isContainer: boolean
}

export const MOST_NAMESPACES = 'user.max_user_namespaces'
export const FOR_USERS = 'kernel.unprivileged_userns_clone'
export const APPARMOR = 'kernel.apparmor_restrict_unprivileged_userns'

export const INSTALLERS: Readonly<Record<string, string>> = {
  'apt-get': 'apt-get install bubblewrap',
  dnf: 'dnf install bubblewrap',
  zypper: 'zypper install bubblewrap',
  pacman: 'pacman -S bubblewrap',
  apk: 'apk add bubblewrap',
}

/** What is missing for a box on a machine that makes none, as sentences. The first ones are needed before the last. */
export function howToGetABox(facts: MachineFacts): string[] {
  const known = [
    ...(facts.isChroot ? ['In a chroot the kernel makes no user namespaces: start gza outside of it.'] : []),
    ...forbidding(facts),
  ]
  const obstacles = known.length === 0 && facts.isContainer ? [IN_CONTAINER] : known
  const install = facts.hasBubblewrap ? [] : [`Install bubblewrap: ${installOn(facts)}.`]
  return obstacles.length + install.length === 0 ? [UNKNOWN] : [...obstacles, ...install]
}

function forbidding({ settings, isRoot }: MachineFacts): string[] {
  const [most, forUsers, apparmor] = [settings[MOST_NAMESPACES], settings[FOR_USERS], settings[APPARMOR]]
  return [
    ...(most === '0' ? [`${MOST_NAMESPACES} is 0: sysctl -w ${MOST_NAMESPACES}=15000 allows user namespaces.`] : []),
    ...(forUsers === '0' && !isRoot ? [`${FOR_USERS} is 0: sysctl -w ${FOR_USERS}=1 allows user namespaces.`] : []),
    ...(apparmor === '1' && !isRoot
      ? [`${APPARMOR} is 1: give bwrap a profile in /etc/apparmor.d that has "userns,", or set it to 0.`]
      : []),
  ]
}

const IN_CONTAINER =
  'In a container: start it with --security-opt seccomp=unconfined --security-opt systempaths=unconfined (and ' +
  'apparmor=unconfined where there is AppArmor), or start gza outside of it.'

const UNKNOWN = 'A policy of the system, or of what this process runs in, refuses user namespaces.'

function installOn({ installer }: MachineFacts): string {
  return (installer === null ? null : INSTALLERS[installer]) ?? 'with the package manager of the system'
}
