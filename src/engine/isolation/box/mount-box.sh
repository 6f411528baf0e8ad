# Makes the mounts of a box and runs a command in it: UID GID net|no-net CWD (KIND FROM TO)... -- COMMAND...
# It is pid 1 of the box, and reaps orphans. Nothing of the box runs before it has finished. Its variables begin with
# box_: one with the name of a variable of the command would change that.
set -eu
box_uid=$1 box_gid=$2 box_net=$3 box_cwd=$4
shift 4

# A folder on the caller's PATH may be writable inside a box, and this runs outside of it.
box_path=${PATH-}
PATH=/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin
box_unshare=$(command -v unshare)
box_setpriv=$(command -v setpriv)

# The new root folder is made over /sys: its copy has the real one, and no other source of a mount is below it.
box_new=/sys

# Submounts are mounts of their own. Flags that the kernel does not let a namespace remove have to be named again.
read_only() {
  box_ids=
  box_rows=
  while read -r box_id box_parent _ _ box_place box_flags _; do
    case $box_place in *\\*) box_place=$(printf '%b' "$box_place") ;; esac
    if [ "$box_place" = "$1" ]; then
      box_ids=" $box_id "
      box_rows="$box_flags $box_place"
    else
      case $box_ids in
        *" $box_parent "*)
          box_ids="$box_ids$box_id "
          box_rows="$box_rows
$box_flags $box_place"
          ;;
      esac
    fi
  done <<MOUNTS
$(cat /proc/self/mountinfo)
MOUNTS
  if [ -z "$box_rows" ]; then
    echo "gza: $1 cannot be made read-only: its mount is not found" >&2
    exit 1
  fi
  while read -r box_flags box_place; do
    box_keep=
    for box_flag in noexec noatime nodiratime relatime; do
      case ",$box_flags," in *",$box_flag,"*) box_keep=$box_keep,$box_flag ;; esac
    done
    mount -n -o "remount,bind,ro,nosuid,nodev$box_keep" "$box_place"
  done <<MOUNTS
$box_rows
MOUNTS
}

bind() {
  if [ ! -e "$box_new$2" ]; then
    if [ -d "$1" ]; then
      mkdir -p "$box_new$2"
    else
      mkdir -p "$box_new${2%/*}"
      : >"$box_new$2"
    fi
  fi
  case $1 in
    # The new root folder covers it.
    /sys) mount -n --rbind $box_new/sys $box_new/sys ;;
    *) mount -n --rbind "$1" "$box_new$2" ;;
  esac
}

make_devices() {
  mount -n -t tmpfs -o mode=0755,nosuid tmpfs $box_new/dev
  for box_device in null zero full random urandom tty; do
    : >"$box_new/dev/$box_device"
    mount -n --bind "/dev/$box_device" "$box_new/dev/$box_device"
  done
  mkdir $box_new/dev/pts $box_new/dev/shm
  mount -n -t devpts -o newinstance,ptmxmode=0666,mode=620,nosuid,noexec devpts $box_new/dev/pts
  mount -n -t tmpfs -o mode=1777,nosuid,nodev tmpfs $box_new/dev/shm
  ln -s pts/ptmx $box_new/dev/ptmx
  ln -s /proc/self/fd $box_new/dev/fd
  ln -s fd/0 $box_new/dev/stdin
  ln -s fd/1 $box_new/dev/stdout
  ln -s fd/2 $box_new/dev/stderr
}

make_root() {
  mount -n --rbind / $box_new
  if [ "$1" = folder-read-only ]; then read_only $box_new; fi
  make_devices
  mount -n -t proc -o nosuid,nodev,noexec proc $box_new/proc
}

box_hidden=
while [ "$1" != -- ]; do
  case $1:$3 in
    *:/) make_root "$1" ;;
    hide:*)
      # Inside of another hidden folder it does not exist.
      mkdir -p "$box_new$3"
      mount -n -t tmpfs -o mode=0755,nosuid,nodev tmpfs "$box_new$3"
      box_hidden="$box_hidden$box_new$3
"
      ;;
    *-read-only:*)
      bind "$2" "$3"
      read_only "$box_new$3"
      ;;
    *) bind "$2" "$3" ;;
  esac
  shift 3
done
shift
# Last, because mount points are made in them.
printf '%s' "$box_hidden" | while read -r box_place; do
  mount -n -o remount,bind,ro,nosuid,nodev "$box_place"
done

# Without a way to the outside, but with localhost if the machine has a program that turns it on.
if [ "$box_net" = no-net ]; then ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :; fi

cd $box_new
pivot_root . .
umount -n -l .
cd "$box_cwd"
PATH=$box_path
set +e
"$box_unshare" --user --map-user="$box_uid" --map-group="$box_gid" --keep-caps \
  "$box_setpriv" --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all -- "$@"
exit $?
